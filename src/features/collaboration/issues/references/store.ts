import { sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { CommentKind } from "../../../../db/tables/issues.ts";
import type { CommentPayload } from "../conversation/comment-payload.ts";

export interface ReferencedIssue {
  readonly id: number;
  readonly repoId: number;
  readonly number: number;
  readonly isPull: boolean;
}

const byNumbers = compiled((db, given: Slots<{ repoId: number; numbers: readonly number[] }>) =>
  db.sql
    .selectFrom("issues")
    .select(["id", "repo_id", "number", "is_pull"])
    .where("repo_id", "=", given.repoId)
    .where((eb) => anyOf(db, eb.ref("number"), given.numbers)),
);

/** Issues of one repository by number; leaves out unknown numbers. */
export async function findIssuesByNumbers(db: Reader, repoId: number, numbers: readonly number[]): Promise<readonly ReferencedIssue[]> {
  if (numbers.length === 0) return [];
  const rows = await byNumbers(db, { repoId, numbers });
  return rows.map((row) => ({ id: row.id, repoId: row.repo_id, number: row.number, isPull: row.is_pull === 1 }));
}

/** Source of references: an issue's own text, or a comment. */
export interface TextSource {
  readonly issueId: number;
  readonly commentId: number | null;
}

export interface KnownReference {
  readonly entryId: number;
  readonly targetId: number;
  readonly payload: string;
}

/** Existing timeline entries for references from a text. */
export async function listReferencesFrom(db: Reader, source: TextSource): Promise<readonly KnownReference[]> {
  return db.sql
    .selectFrom("comments")
    .select(["id as entryId", "issue_id as targetId", "payload"])
    .where("ref_issue_id", "=", source.issueId)
    .where("ref_comment_id", source.commentId === null ? "is" : "=", source.commentId)
    .execute();
}

/** Changes the actions of references. */
export async function updateReferencePayload(tx: Tx, entryIds: readonly number[], payload: CommentPayload): Promise<void> {
  if (entryIds.length === 0) return;
  await tx.sql
    .updateTable("comments")
    .set({ payload: JSON.stringify(payload) })
    .where((eb) => anyOf(tx, eb.ref("id"), entryIds))
    .execute();
}

/** Which of some issues already have an entry of these kinds for a commit, so that a repeated delivery adds nothing. */
export async function listIssuesThatMention(
  db: Reader,
  issueIds: readonly number[],
  commitOid: string,
  kinds: readonly CommentKind[],
): Promise<ReadonlySet<number>> {
  if (issueIds.length === 0) return new Set();
  const rows = await db.sql
    .selectFrom("comments")
    .select("issue_id")
    .where((eb) => anyOf(db, eb.ref("issue_id"), issueIds))
    .where("kind", "in", kinds)
    .where(sql<boolean>`payload like ${`%"${commitOid}"%`}`)
    .execute();
  return new Set(rows.map((row) => row.issue_id));
}

/** A timeline entry for a commit that does not record the commit's repository. */
export interface UnlocatedCommit {
  readonly id: number;
  /** The repository of the issue. */
  readonly repoId: number;
  readonly content: string;
  readonly payload: string;
}

/** In ascending order of ids. */
export async function listUnlocatedCommits(db: Reader, afterId: number, limit: number): Promise<readonly UnlocatedCommit[]> {
  return db.sql
    .selectFrom("comments")
    .select(["id", "repo_id as repoId", "content", "payload"])
    .where("kind", "=", "commit_ref")
    .where(sql<boolean>`payload not like '%"commitRepoId"%'`)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();
}
