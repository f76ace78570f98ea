import { sql, type Updateable } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { IssuesTable } from "../../../../db/tables/issues.ts";
import { type ChangeTimes, changedNow, lastChange } from "../../../../db/update-time.ts";
import type { IssueRow } from "../model.ts";

/** Aggregates ids of relations into strings, so that one statement loads everything. */
const labelIds = sql<string | null>`(select string_agg(cast(il.label_id as text), ',') from issue_labels il where il.issue_id = i.id)`;
const assigneeIds = sql<
  string | null
>`(select string_agg(cast(ia.account_id as text), ',' order by ia.position) from issue_assignees ia where ia.issue_id = i.id)`;
const mergedMs = sql<number | null>`(select p.merged_ms from pull_requests p where p.issue_id = i.id)`;
const attachmentsCount = sql<number>`(select count(*) from attachments a where a.issue_id = i.id and a.comment_id is null)`;

const columns = [
  "i.id",
  "i.repo_id",
  "i.number",
  "i.is_pull",
  "i.poster_id",
  "i.title",
  "i.content",
  "i.content_version",
  "i.is_closed",
  "i.closed_ms",
  "i.close_reason",
  "i.milestone_id",
  "i.deadline_ms",
  "i.is_locked",
  "i.ref",
  "i.time_estimate_seconds",
  "i.pin_order",
  "i.comments_count",
  "i.original_author",
  "i.original_author_id",
  "i.created_ms",
] as const;

const selectRows = (db: Reader) =>
  db.sql
    .selectFrom("issues as i")
    .select(columns)
    .select([
      labelIds.as("label_ids"),
      assigneeIds.as("assignee_ids"),
      attachmentsCount.as("attachments_count"),
      mergedMs.as("merged_ms"),
      lastChange(db, "i").as("updated_ms"),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof selectRows>["executeTakeFirstOrThrow"]>>;

const splitIds = (text: string | null): readonly number[] => (text === null ? [] : text.split(",").map(Number));

const toRow = (row: Row): IssueRow => ({
  id: row.id,
  repoId: row.repo_id,
  number: row.number,
  isPull: row.is_pull === 1,
  posterId: row.poster_id,
  title: row.title,
  content: row.content,
  contentVersion: row.content_version,
  isClosed: row.is_closed === 1,
  closedMs: row.closed_ms,
  closeReason: row.close_reason,
  mergedMs: row.merged_ms,
  milestoneId: row.milestone_id,
  deadlineMs: row.deadline_ms,
  isLocked: row.is_locked === 1,
  ref: row.ref,
  timeEstimateSeconds: row.time_estimate_seconds,
  pinOrder: row.pin_order,
  commentsCount: row.comments_count,
  originalAuthor: row.original_author,
  originalAuthorId: row.original_author_id,
  createdMs: row.created_ms,
  updatedMs: row.updated_ms,
  labelIds: splitIds(row.label_ids),
  assigneeIds: splitIds(row.assignee_ids),
  attachmentsCount: Number(row.attachments_count),
});

const byNumber = compiled((db, given: Slots<{ repoId: number; number: number }>) =>
  selectRows(db).where("i.repo_id", "=", given.repoId).where("i.number", "=", given.number),
);
const byIds = compiled((db, given: Slots<{ ids: readonly number[] }>) => selectRows(db).where((eb) => anyOf(db, eb.ref("i.id"), given.ids)));

export async function findIssueRow(db: Reader, repoId: number, number: number): Promise<IssueRow | undefined> {
  const [row] = await byNumber(db, { repoId, number });
  return row && toRow(row);
}

/** Any number of issues by id, with one statement. */
export async function loadIssueRows(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, IssueRow>> {
  if (ids.length === 0) return new Map();
  const rows = await byIds(db, { ids });
  return new Map(rows.map((row) => [row.id, toRow(row)]));
}

/** Ids of issues by number in a repository, newest first. One statement. */
export async function listIdsByNumbers(db: Reader, repoId: number, numbers: readonly number[]): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("issues")
    .select("id")
    .where("repo_id", "=", repoId)
    .where((eb) => anyOf(db, eb.ref("number"), numbers))
    .orderBy("number", "desc")
    .execute();
  return rows.map(({ id }) => id);
}

export interface NewIssueRow {
  readonly repoId: number;
  readonly number: number;
  readonly isPull: boolean;
  readonly posterId: number;
  readonly title: string;
  readonly content: string;
  readonly ref: string;
  readonly isClosed: boolean;
  readonly milestoneId: number | null;
  readonly deadlineMs: number | null;
}

const insertRow = compiled(
  (
    tx: Tx,
    given: Slots<{
      repoId: number;
      number: number;
      isPull: number;
      posterId: number;
      title: string;
      content: string;
      ref: string;
      isClosed: number;
      closedMs: number | null;
      milestoneId: number | null;
      deadlineMs: number | null;
      nowMs: number;
      updatedMs: number;
    }>,
  ) =>
    tx.sql
      .insertInto("issues")
      .values({
        repo_id: given.repoId,
        number: given.number,
        is_pull: given.isPull,
        poster_id: given.posterId,
        title: given.title,
        content: given.content,
        ref: given.ref,
        is_closed: given.isClosed,
        closed_ms: given.closedMs,
        milestone_id: given.milestoneId,
        deadline_ms: given.deadlineMs,
        created_ms: given.nowMs,
        updated_ms: given.updatedMs,
        changed_ms: given.nowMs,
      })
      .returning("id"),
);

export async function insertIssue(tx: Tx, issue: NewIssueRow): Promise<number> {
  const [row] = await insertRow(tx, {
    ...issue,
    isPull: issue.isPull ? 1 : 0,
    isClosed: issue.isClosed ? 1 : 0,
    closedMs: issue.isClosed ? tx.nowMs : null,
    nowMs: tx.nowMs,
    updatedMs: changedNow(tx).updated_ms,
  });
  if (row === undefined) throw new Error("an inserted issue has no id");
  return row.id;
}

/** Columns that an edit can change. */
export type IssueColumns = Updateable<IssuesTable>;

/** Updates an issue; its update time becomes now. */
export async function updateIssue(tx: Tx, id: number, changes: IssueColumns): Promise<void> {
  await tx.sql
    .updateTable("issues")
    .set({ ...changes, ...changedNow(tx) })
    .where("id", "=", id)
    .execute();
}

const touchRow = compiled((tx: Tx, given: Slots<{ id: number; comments: number } & ChangeTimes>) =>
  tx.sql
    .updateTable("issues")
    .set((eb) => ({ updated_ms: given.updated_ms, changed_ms: given.changed_ms, comments_count: eb("comments_count", "+", given.comments) }))
    .where("id", "=", given.id),
);

/** Sets the update time to now and adds to the comment count. */
export async function touchIssue(tx: Tx, id: number, comments = 0): Promise<void> {
  await touchRow(tx, { id, comments, ...changedNow(tx) });
}

const touchCommentedRow = compiled((tx: Tx, given: Slots<{ id: number; repoId: number } & ChangeTimes>) =>
  tx.sql
    .updateTable("issues")
    .set((eb) => ({ updated_ms: given.updated_ms, changed_ms: given.changed_ms, comments_count: eb("comments_count", "+", 1) }))
    .where("id", "=", given.id)
    .where("repo_id", "=", given.repoId)
    .returning(["title", "is_locked"]),
);

/**
 * Counts a comment and sets the update time to now. PostgreSQL recognizes conflicts by pages of indexes: as the first access to issues in its transaction,
 * it collides less often with transactions that change other issues than after a read.
 * @returns what other transactions may have changed since the issue was read; undefined if it has left its repository
 */
export async function touchCommented(tx: Tx, { id, repoId }: Pick<IssueRow, "id" | "repoId">): Promise<Pick<IssueRow, "title" | "isLocked"> | undefined> {
  const [row] = await touchCommentedRow(tx, { id, repoId, ...changedNow(tx) });
  return row && { title: row.title, isLocked: row.is_locked === 1 };
}

export async function deleteIssue(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("issues").where("id", "=", id).execute();
}

/** Orders the issues of a database that was PostgreSQL and now is SQLite by the exact times of their changes. */
export async function separateUpdates(tx: Tx): Promise<void> {
  if (tx.dialect === "postgres") return;
  await tx.sql
    .updateTable("issues")
    .set((eb) => ({ updated_ms: eb.ref("changed_ms") }))
    .whereRef("changed_ms", ">", "updated_ms")
    .execute();
}
