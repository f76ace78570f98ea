import type { Page, Paged } from "../../../core/paging.ts";
import { compiled, type Slots } from "../../../db/compiled.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { Oid } from "../../../git/types.ts";
import type { CommitComment } from "./model.ts";

const columns = [
  "id",
  "commit_oid as commitOid",
  "poster_id as posterId",
  "original_author as originalAuthor",
  "content",
  "content_version as contentVersion",
  "created_ms as createdMs",
] as const;

const ofCommit = compiled((db, given: Slots<{ repoId: number; oid: string; limit: number; offset: number }>) =>
  db.sql
    .selectFrom("commit_comments")
    .select([...columns, ({ fn }) => fn.countAll<number>().over().as("total")])
    .where("repo_id", "=", given.repoId)
    .where("commit_oid", "=", given.oid)
    .orderBy("id")
    .limit(given.limit)
    .offset(given.offset),
);

/** A page of the comments on a commit, the oldest first. One statement. The total of a page beyond the last one is 0. */
export async function pageComments(db: Reader, repoId: number, oid: Oid, { limit, offset }: Page): Promise<Paged<CommitComment>> {
  const rows = await ofCommit(db, { repoId, oid, limit, offset });
  return { items: rows.map(({ total: _total, ...comment }) => comment), total: Number(rows[0]?.total ?? 0) };
}

export const findComment = (db: Reader, repoId: number, id: number): Promise<CommitComment | undefined> =>
  db.sql.selectFrom("commit_comments").select(columns).where("repo_id", "=", repoId).where("id", "=", id).executeTakeFirst();

/** Number of comments up to one, on its commit. */
export async function positionOf(db: Reader, repoId: number, { id, commitOid }: Pick<CommitComment, "id" | "commitOid">): Promise<number> {
  const row = await db.sql
    .selectFrom("commit_comments")
    .select(({ fn }) => fn.countAll<number>().as("position"))
    .where("repo_id", "=", repoId)
    .where("commit_oid", "=", commitOid)
    .where("id", "<=", id)
    .executeTakeFirstOrThrow();
  return Number(row.position);
}

/** Users who have commented on a commit. */
export async function listPosterIds(db: Reader, repoId: number, oid: Oid): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("commit_comments")
    .select("poster_id")
    .distinct()
    .where("repo_id", "=", repoId)
    .where("commit_oid", "=", oid)
    .where("poster_id", "is not", null)
    .execute();
  return rows.flatMap((row) => row.poster_id ?? []);
}

export interface ImportedCommitCommentRow extends Pick<CommitComment, "commitOid" | "posterId" | "content" | "createdMs"> {
  /** At the source. */
  readonly author: { readonly name: string; readonly id: number };
  readonly updatedMs: number;
}

export async function insertImportedComments(tx: Tx, repoId: number, rows: readonly ImportedCommitCommentRow[]): Promise<void> {
  await tx.sql
    .insertInto("commit_comments")
    .values(
      rows.map((row) => ({
        repo_id: repoId,
        commit_oid: row.commitOid,
        poster_id: row.posterId,
        original_author: row.author.name,
        original_author_id: row.author.id,
        content: row.content,
        created_ms: row.createdMs,
        updated_ms: row.updatedMs,
      })),
    )
    .execute();
}

/** @returns the id */
export async function insertComment(tx: Tx, repoId: number, comment: Pick<CommitComment, "commitOid" | "posterId" | "content">): Promise<number> {
  const { id } = await tx.sql
    .insertInto("commit_comments")
    .values({
      repo_id: repoId,
      commit_oid: comment.commitOid,
      poster_id: comment.posterId,
      content: comment.content,
      created_ms: tx.nowMs,
      updated_ms: tx.nowMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** @returns false if it has another version */
export async function updateComment(tx: Tx, { id, contentVersion, content }: Pick<CommitComment, "id" | "contentVersion" | "content">): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("commit_comments")
    .set({ content, content_version: contentVersion + 1, updated_ms: tx.nowMs })
    .where("id", "=", id)
    .where("content_version", "=", contentVersion)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteComment(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("commit_comments").where("id", "=", id).execute();
}
