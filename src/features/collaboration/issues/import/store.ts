import type { Reader, Tx } from "../../../../db/db.ts";
import type { CommentKind } from "../../../../db/tables/issues.ts";
import type { CommentPayload } from "../conversation/comment-payload.ts";

/** Author at the source. */
export interface OriginalAuthor {
  readonly name: string;
  readonly id: number;
}

export interface ImportedIssueRow {
  /** The matching account; null: none. */
  readonly posterId: number | null;
  readonly number: number;
  readonly isPull: boolean;
  readonly title: string;
  readonly content: string;
  readonly isClosed: boolean;
  readonly closedMs: number | null;
  readonly milestoneId: number | null;
  readonly deadlineMs: number | null;
  readonly isLocked: boolean;
  readonly ref: string;
  readonly commentsCount: number;
  readonly author: OriginalAuthor;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** Inserts imported issues and pull requests. @param rows by number, ascending. @returns their ids, in the same order */
export async function insertImportedIssues(tx: Tx, repoId: number, rows: readonly ImportedIssueRow[]): Promise<readonly number[]> {
  const made = await tx.sql
    .insertInto("issues")
    .values(
      rows.map((row) => ({
        repo_id: repoId,
        number: row.number,
        is_pull: row.isPull ? 1 : 0,
        poster_id: row.posterId,
        title: row.title,
        content: row.content,
        ref: row.ref,
        is_closed: row.isClosed ? 1 : 0,
        closed_ms: row.closedMs,
        milestone_id: row.milestoneId,
        deadline_ms: row.deadlineMs,
        is_locked: row.isLocked ? 1 : 0,
        comments_count: row.commentsCount,
        original_author: row.author.name,
        original_author_id: row.author.id,
        created_ms: row.createdMs,
        updated_ms: row.updatedMs,
      })),
    )
    .returning("id")
    .execute();
  return made.map(({ id }) => id).sort((a, b) => a - b);
}

export interface ImportedCommentRow {
  readonly issueId: number;
  readonly kind: CommentKind;
  /** The matching account; null: none. */
  readonly posterId: number | null;
  readonly payload: CommentPayload;
  readonly content: string;
  readonly author: OriginalAuthor;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** Inserts imported timeline entries in order. @returns their ids, in the same order */
export async function insertImportedComments(tx: Tx, repoId: number, rows: readonly ImportedCommentRow[]): Promise<readonly number[]> {
  const made = await tx.sql
    .insertInto("comments")
    .values(
      rows.map((row) => ({
        issue_id: row.issueId,
        repo_id: repoId,
        kind: row.kind,
        payload: JSON.stringify(row.payload),
        poster_id: row.posterId,
        content: row.content,
        original_author: row.author.name,
        original_author_id: row.author.id,
        created_ms: row.createdMs,
        updated_ms: row.updatedMs,
      })),
    )
    .returning("id")
    .execute();
  return made.map(({ id }) => id).sort((a, b) => a - b);
}

export interface ImportedReactionRow {
  readonly issueId: number;
  /** Null: a reaction to the issue itself. */
  readonly commentId: number | null;
  /** The matching account; null: none. */
  readonly accountId: number | null;
  readonly content: string;
  readonly author: OriginalAuthor;
  readonly createdMs: number;
}

export async function insertImportedReactions(tx: Tx, rows: readonly ImportedReactionRow[]): Promise<void> {
  await tx.sql
    .insertInto("reactions")
    .values(
      rows.map((row) => ({
        issue_id: row.issueId,
        comment_id: row.commentId,
        account_id: row.accountId,
        original_author: row.author.name,
        original_author_id: row.author.id,
        content: row.content,
        created_ms: row.createdMs,
      })),
    )
    // One per account, even if several source users map to it.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function updatePayload(tx: Tx, entryId: number, payload: CommentPayload): Promise<void> {
  await tx.sql
    .updateTable("comments")
    .set({ payload: JSON.stringify(payload) })
    .where("id", "=", entryId)
    .execute();
}

export interface StateCounts {
  readonly open: number;
  readonly closed: number;
}

/** A timeline entry and the issue or comment that it refers to. */
export interface EntryReference {
  readonly id: number;
  readonly issueId: number;
  /** Null: the text of the issue itself. */
  readonly commentId: number | null;
}

export async function setReference(tx: Tx, { id, issueId, commentId }: EntryReference): Promise<void> {
  await tx.sql.updateTable("comments").set({ ref_issue_id: issueId, ref_comment_id: commentId }).where("id", "=", id).execute();
}

/** Texts of some issues and of their timelines. */
export async function listTexts(db: Reader, issueIds: readonly number[]) {
  const [issues, entries] = [
    await db.sql.selectFrom("issues").select(["id", "title", "content"]).where("id", "in", issueIds).orderBy("id").execute(),
    await db.sql
      .selectFrom("comments")
      .select(["id", "kind", "content"])
      .where("issue_id", "in", issueIds)
      .where("kind", "in", ["comment", "review", "code"])
      .orderBy("id")
      .execute(),
  ];
  return { issues, entries };
}
