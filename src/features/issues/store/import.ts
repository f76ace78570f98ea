import type { Tx } from "../../../db/db.ts";

/** Who wrote something where it comes from. */
export interface OriginalAuthor {
  readonly name: string;
  readonly id: number;
}

export interface ImportedIssueRow {
  readonly number: number;
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

/** Issues that nobody here has written. @param rows by number, ascending. @returns their ids, in the same order */
export async function insertImportedIssues(tx: Tx, repoId: number, rows: readonly ImportedIssueRow[]): Promise<readonly number[]> {
  const made = await tx.sql
    .insertInto("issues")
    .values(
      rows.map((row) => ({
        repo_id: repoId,
        number: row.number,
        is_pull: 0,
        poster_id: null,
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
  readonly content: string;
  readonly author: OriginalAuthor;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** Comments that nobody here has written, in their order. @returns their ids, in the same order */
export async function insertImportedComments(tx: Tx, repoId: number, rows: readonly ImportedCommentRow[]): Promise<readonly number[]> {
  const made = await tx.sql
    .insertInto("comments")
    .values(
      rows.map((row) => ({
        issue_id: row.issueId,
        repo_id: repoId,
        kind: "comment" as const,
        poster_id: null,
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

/** Numbers go on behind what has come, and it is counted. */
export async function noteImported(
  tx: Tx,
  repoId: number,
  facts: { readonly lastNumber: number; readonly open: number; readonly closed: number },
): Promise<void> {
  await tx.sql
    .updateTable("repositories")
    .set({ last_issue_number: facts.lastNumber, open_issues_count: facts.open, closed_issues_count: facts.closed })
    .where("id", "=", repoId)
    .execute();
}
