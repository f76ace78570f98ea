import { sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { CommentKind } from "../../../../db/tables/issues.ts";
import type { LineLocation, LineRange, ReviewCommentRow } from "../model.ts";

const selectRows = (db: Reader) =>
  db.sql
    .selectFrom("review_comments as rc")
    .innerJoin("comments as c", "c.id", "rc.comment_id")
    .select([
      "c.id",
      "rc.review_id",
      "rc.thread_id",
      "rc.path",
      "rc.side",
      "rc.line",
      "rc.start_line",
      "rc.written_oid",
      "rc.commit_oid",
      "rc.hunk",
      "rc.resolver_id",
      "c.kind",
      "c.issue_id",
      "c.poster_id",
      "c.original_author",
      "c.original_author_id",
      "c.content",
      "c.content_version",
      "c.created_ms",
      "c.updated_ms",
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof selectRows>["executeTakeFirstOrThrow"]>>;

const toRow = (row: Row): ReviewCommentRow => ({
  id: row.id,
  reviewId: row.review_id,
  threadId: row.thread_id,
  path: row.path,
  side: row.side,
  line: row.line,
  startLine: row.start_line ?? row.line,
  writtenOid: row.written_oid,
  commitOid: row.commit_oid,
  hunk: row.hunk,
  posterId: row.poster_id,
  originalAuthor: row.original_author,
  originalAuthorId: row.original_author_id,
  resolverId: row.resolver_id,
  content: row.content,
  contentVersion: row.content_version,
  createdMs: row.created_ms,
  updatedMs: row.updated_ms,
});

const ofReview = compiled((db, given: Slots<{ reviewId: number }>) => selectRows(db).where("rc.review_id", "=", given.reviewId).orderBy("c.id"));

/** The comments of a review, oldest first. */
export async function listCommentsOf(db: Reader, reviewId: number): Promise<readonly ReviewCommentRow[]> {
  return (await ofReview(db, { reviewId })).map(toRow);
}

const ofPull = compiled((db, given: Slots<{ issueId: number; viewerId: number; limit: number }>) =>
  selectRows(db)
    .where("rc.issue_id", "=", given.issueId)
    .where((eb) => eb.or([eb("c.kind", "=", sql.lit("code")), eb("c.poster_id", "=", given.viewerId)]))
    .orderBy("c.id")
    .limit(given.limit),
);

/** A comment for one viewer; only its author sees a draft. */
export type SeenComment = ReviewCommentRow & { readonly isDraft: boolean };

/** The comments on lines of a pull request, oldest first, without other users' drafts. One statement. @param viewerId 0: anonymous */
export async function listCommentsOfPull(db: Reader, issueId: number, viewerId: number, limit: number): Promise<readonly SeenComment[]> {
  return (await ofPull(db, { issueId, viewerId, limit })).map((row) => ({ ...toRow(row), isDraft: row.kind === "code_draft" }));
}

const aroundReviews = compiled((db, given: Slots<{ issueId: number; reviewIds: readonly number[]; viewerId: number }>) =>
  selectRows(db)
    .where("rc.issue_id", "=", given.issueId)
    .where((eb) =>
      eb(
        "rc.thread_id",
        "in",
        db.sql
          .selectFrom("review_comments as part")
          .select("part.thread_id")
          .where((part) => anyOf(db, part.ref("part.review_id"), given.reviewIds)),
      ),
    )
    .where((eb) => eb.or([eb("c.kind", "=", sql.lit("code")), eb("c.poster_id", "=", given.viewerId)]))
    .orderBy("c.id"),
);

/**
 * All comments of the conversations in which some reviews take part, oldest first, without other users' drafts. One statement.
 * @param viewerId 0: anonymous
 */
export async function listCommentsAround(db: Reader, issueId: number, reviewIds: readonly number[], viewerId: number): Promise<readonly SeenComment[]> {
  if (reviewIds.length === 0) return [];
  return (await aroundReviews(db, { issueId, reviewIds, viewerId })).map((row) => ({ ...toRow(row), isDraft: row.kind === "code_draft" }));
}

const byCommentIds = compiled((db, given: Slots<{ issueId: number; ids: readonly number[] }>) =>
  selectRows(db)
    .where("rc.issue_id", "=", given.issueId)
    .where((eb) => anyOf(db, eb.ref("c.id"), given.ids))
    .orderBy("c.id"),
);

/** Comments on lines of one pull request, oldest first. One statement. */
export async function listCommentsById(db: Reader, issueId: number, ids: readonly number[]): Promise<readonly SeenComment[]> {
  return (await byCommentIds(db, { issueId, ids })).map((row) => ({ ...toRow(row), isDraft: row.kind === "code_draft" }));
}

/** Conversation of a comment: its original lines, and who resolved it. */
export interface ConversationLocation extends LineLocation, Pick<ReviewCommentRow, "threadId" | "writtenOid" | "resolverId"> {}

/** Original lines of a pull request's conversations, oldest first, without other users' drafts. One statement. */
export async function listConversations(db: Reader, issueId: number, viewerId: number): Promise<readonly ConversationLocation[]> {
  const rows = await db.sql
    .selectFrom("review_comments as rc")
    .innerJoin("comments as c", "c.id", "rc.comment_id")
    .select(["rc.thread_id", "rc.path", "rc.side", "rc.line", "rc.written_oid", "rc.resolver_id"])
    .where("rc.issue_id", "=", issueId)
    .where((eb) => eb.or([eb("c.kind", "=", sql.lit("code")), eb("c.poster_id", "=", viewerId)]))
    .orderBy("c.id")
    .execute();
  return rows.map(({ path, side, line, ...row }) => ({
    ...{ path, side, line },
    ...{ threadId: row.thread_id, writtenOid: row.written_oid, resolverId: row.resolver_id },
  }));
}

export interface ConversationRow {
  readonly id: number;
  /** Number of the pull request. */
  readonly number: number;
  readonly kind: CommentKind;
  readonly posterId: number | null;
  /** Undefined: not a comment on a line. */
  readonly threadId: number | undefined;
  readonly resolverId: number | null;
}

/** Timeline entry of a pull request in a repository, with its conversation. */
export async function findConversation(db: Reader, repoId: number, commentId: number): Promise<ConversationRow | undefined> {
  const row = await db.sql
    .selectFrom("comments as c")
    .innerJoin("issues as i", "i.id", "c.issue_id")
    .leftJoin("review_comments as rc", "rc.comment_id", "c.id")
    .select(["c.id", "i.number", "c.kind", "c.poster_id", "rc.thread_id", "rc.resolver_id"])
    .where("c.id", "=", commentId)
    .where("c.repo_id", "=", repoId)
    .executeTakeFirst();
  return row && { id: row.id, number: row.number, kind: row.kind, posterId: row.poster_id, threadId: row.thread_id ?? undefined, resolverId: row.resolver_id };
}

export async function resolveThread(tx: Tx, threadId: number, resolverId: number | null): Promise<void> {
  await tx.sql.updateTable("review_comments").set({ resolver_id: resolverId }).where("thread_id", "=", threadId).execute();
}

export interface NewReviewComment extends LineRange {
  readonly id: number;
  readonly reviewId: number;
  readonly issueId: number;
  readonly threadId: number;
  readonly writtenOid: string;
  readonly commitOid: string;
  readonly hunk: string;
  readonly resolverId: number | null;
}

export async function insertReviewComments(tx: Tx, comments: readonly NewReviewComment[]): Promise<void> {
  if (comments.length === 0) return;
  await tx.sql
    .insertInto("review_comments")
    .values(
      comments.map((comment) => ({
        comment_id: comment.id,
        review_id: comment.reviewId,
        issue_id: comment.issueId,
        thread_id: comment.threadId,
        path: comment.path,
        side: comment.side,
        line: comment.line,
        start_line: comment.startLine === comment.line ? null : comment.startLine,
        written_oid: comment.writtenOid,
        commit_oid: comment.commitOid,
        hunk: comment.hunk,
        resolver_id: comment.resolverId,
      })),
    )
    .execute();
}
