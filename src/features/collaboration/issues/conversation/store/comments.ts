import { sql } from "kysely";
import type { Page, Paged } from "../../../../../core/paging.ts";
import { anyOf } from "../../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../../db/db.ts";
import type { CommentKind } from "../../../../../db/tables/issues.ts";
import type { CommentedIssue, CommentRow } from "../../model.ts";
import { type CommentPayload, parseCommentPayload } from "../comment-payload.ts";

const selectRows = (db: Reader) =>
  db.sql
    .selectFrom("comments as c")
    .innerJoin("issues as i", "i.id", "c.issue_id")
    .select([
      "c.id",
      "c.repo_id",
      "c.issue_id",
      "i.number as issue_number",
      "i.is_pull as issue_is_pull",
      "c.kind",
      "c.poster_id",
      "c.content",
      "c.content_version",
      "c.payload",
      "c.ref_issue_id",
      "c.ref_comment_id",
      "c.original_author",
      "c.original_author_id",
      "c.created_ms",
      "c.updated_ms",
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof selectRows>["executeTakeFirstOrThrow"]>>;

const toRow = (row: Row): CommentRow => ({
  id: row.id,
  repoId: row.repo_id,
  issue: { id: row.issue_id, number: row.issue_number, isPull: row.issue_is_pull === 1 },
  kind: row.kind,
  posterId: row.poster_id,
  content: row.content,
  contentVersion: row.content_version,
  payload: parseCommentPayload(row.payload),
  refIssueId: row.ref_issue_id,
  refCommentId: row.ref_comment_id,
  originalAuthor: row.original_author,
  originalAuthorId: row.original_author_id,
  createdMs: row.created_ms,
  updatedMs: row.updated_ms,
});

const byId = compiled((db, given: Slots<{ repoId: number; id: number }>) =>
  selectRows(db).where("c.id", "=", given.id).where("c.repo_id", "=", given.repoId).where("c.kind", "<>", "code_draft"),
);
const byIds = compiled((db, given: Slots<{ ids: readonly number[] }>) => selectRows(db).where((eb) => anyOf(db, eb.ref("c.id"), given.ids)));

/** Timeline entry of any kind in one repository, without unpublished drafts. */
export async function findCommentRow(db: Reader, repoId: number, id: number): Promise<CommentRow | undefined> {
  const [row] = await byId(db, { repoId, id });
  return row && toRow(row);
}

export async function loadCommentRows(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, CommentRow>> {
  if (ids.length === 0) return new Map();
  const rows = await byIds(db, { ids });
  return new Map(rows.map((row) => [row.id, toRow(row)]));
}

/** Range of update times; both bounds are inclusive. */
export interface UpdatedRange {
  readonly sinceMs: number | undefined;
  readonly beforeMs: number | undefined;
}

const everything = { sinceMs: Number.MIN_SAFE_INTEGER, beforeMs: Number.MAX_SAFE_INTEGER };
const bounds = ({ sinceMs, beforeMs }: UpdatedRange) => ({ sinceMs: sinceMs ?? everything.sinceMs, beforeMs: beforeMs ?? everything.beforeMs });

const writtenUnder = compiled((db, given: Slots<{ issueId: number; sinceMs: number; beforeMs: number }>) =>
  db.sql
    .selectFrom("comments")
    .select(["id", "poster_id", "content", "content_version", "original_author", "original_author_id", "created_ms", "updated_ms"])
    .where("issue_id", "=", given.issueId)
    .where("kind", "=", sql.lit("comment"))
    .where("updated_ms", ">=", given.sinceMs)
    .where("updated_ms", "<=", given.beforeMs)
    .orderBy("id"),
);

/** Comments of an issue, oldest first. Not paginated, so rows contain only columns that the caller does not know. */
export async function listIssueComments(db: Reader, issue: CommentedIssue & { readonly repoId: number }, range: UpdatedRange): Promise<readonly CommentRow[]> {
  const { id, repoId, number, isPull } = issue;
  const shared = { repoId, issue: { id, number, isPull }, kind: "comment", payload: {}, refIssueId: null, refCommentId: null } as const;
  const rows = await writtenUnder(db, { issueId: id, ...bounds(range) });
  return rows.map((row) => ({
    ...shared,
    id: row.id,
    posterId: row.poster_id,
    content: row.content,
    contentVersion: row.content_version,
    originalAuthor: row.original_author,
    originalAuthorId: row.original_author_id,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  }));
}

const timeline = compiled((db, given: Slots<{ issueId: number; sinceMs: number; beforeMs: number; limit: number; offset: number }>) =>
  selectRows(db)
    .where("c.issue_id", "=", given.issueId)
    .where(sql<boolean>`c.kind not in ('code', 'code_draft')`)
    .where("c.updated_ms", ">=", given.sinceMs)
    .where("c.updated_ms", "<=", given.beforeMs)
    .orderBy("c.id")
    .limit(given.limit)
    .offset(given.offset),
);

/** A page of an issue's timeline, oldest first. Comments on lines belong to their reviews. */
export async function pageTimeline(db: Reader, issueId: number, range: UpdatedRange, page: Page): Promise<readonly CommentRow[]> {
  return (await timeline(db, { issueId, ...bounds(range), limit: page.limit, offset: page.offset })).map(toRow);
}

/** A page of a repository's comments on issues, pull requests or both, newest first. At most two statements. */
export async function pageRepositoryComments(
  db: Reader,
  repoId: number,
  filter: UpdatedRange & { readonly isPull: boolean | undefined },
  page: Page,
): Promise<Paged<CommentRow>> {
  const { sinceMs, beforeMs } = bounds(filter);
  let query = selectRows(db)
    .where("c.repo_id", "=", repoId)
    // A literal, so that the partial index is used.
    .where(sql<boolean>`c.kind = 'comment'`)
    .where("c.updated_ms", ">=", sinceMs)
    .where("c.updated_ms", "<=", beforeMs);
  if (filter.isPull !== undefined) query = query.where("i.is_pull", "=", filter.isPull ? 1 : 0);
  const rows = await query.orderBy("c.id").limit(page.limit).offset(page.offset).execute();
  const items = rows.map(toRow);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}

export interface NewEntry {
  readonly issueId: number;
  readonly repoId: number;
  readonly kind: CommentKind;
  /** Null: the server itself. */
  readonly posterId: number | null;
  readonly content?: string;
  readonly payload?: CommentPayload;
  readonly refIssueId?: number;
  readonly refCommentId?: number | null;
  readonly createdMs?: number;
}

const insertOne = compiled(
  (
    tx: Tx,
    given: Slots<{
      issue_id: number;
      repo_id: number;
      kind: CommentKind;
      poster_id: number | null;
      content: string;
      payload: string;
      ref_issue_id: number | null;
      ref_comment_id: number | null;
      created_ms: number;
    }>,
  ) =>
    tx.sql
      .insertInto("comments")
      .values({
        issue_id: given.issue_id,
        repo_id: given.repo_id,
        kind: given.kind,
        poster_id: given.poster_id,
        content: given.content,
        payload: given.payload,
        ref_issue_id: given.ref_issue_id,
        ref_comment_id: given.ref_comment_id,
        created_ms: given.created_ms,
        updated_ms: given.created_ms,
      })
      .returning("id"),
);

const toColumns = (tx: Tx, entry: NewEntry) => ({
  issue_id: entry.issueId,
  repo_id: entry.repoId,
  kind: entry.kind,
  poster_id: entry.posterId,
  content: entry.content ?? "",
  payload: entry.payload === undefined ? "{}" : JSON.stringify(entry.payload),
  ref_issue_id: entry.refIssueId ?? null,
  ref_comment_id: entry.refCommentId ?? null,
  created_ms: entry.createdMs ?? tx.nowMs,
});

export async function insertComment(tx: Tx, entry: NewEntry): Promise<number> {
  const [row] = await insertOne(tx, toColumns(tx, entry));
  if (row === undefined) throw new Error("an inserted comment has no id");
  return row.id;
}

/** Inserts several entries with one statement. @returns their ids in order: ids are assigned in row order */
export async function insertComments(tx: Tx, entries: readonly NewEntry[]): Promise<readonly number[]> {
  if (entries.length === 0) return [];
  const rows = entries.map((entry) => toColumns(tx, entry));
  const inserted = await tx.sql
    .insertInto("comments")
    .values(rows.map((row) => ({ ...row, updated_ms: row.created_ms })))
    .returning("id")
    .execute();
  return inserted.map(({ id }) => id).sort((a, b) => a - b);
}

/** Inserts entries in order, with one statement. */
export async function insertEntries(tx: Tx, entries: readonly NewEntry[]): Promise<void> {
  const [only] = entries;
  if (only === undefined) return;
  if (entries.length === 1) {
    await insertComment(tx, only);
    return;
  }
  const rows = entries.map((entry) => toColumns(tx, entry));
  await tx.sql
    .insertInto("comments")
    .values(rows.map((row) => ({ ...row, updated_ms: row.created_ms })))
    .execute();
}

/** Sets the text of a comment and increments its version. */
export async function updateCommentContent(tx: Tx, id: number, content: string): Promise<void> {
  await tx.sql
    .updateTable("comments")
    .set((eb) => ({ content, content_version: eb("content_version", "+", 1), updated_ms: tx.nowMs }))
    .where("id", "=", id)
    .execute();
}

/** Sets the payload of a comment, which is not a change of its text. */
export async function updateCommentPayload(tx: Tx, id: number, payload: CommentPayload): Promise<void> {
  await tx.sql
    .updateTable("comments")
    .set({ payload: JSON.stringify(payload) })
    .where("id", "=", id)
    .execute();
}

/** Publishes draft comments on lines; their creation time becomes now. */
export async function publishDrafts(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.sql
    .updateTable("comments")
    .set({ kind: "code", created_ms: tx.nowMs, updated_ms: tx.nowMs })
    .where((eb) => anyOf(tx, eb.ref("id"), ids))
    .execute();
}

export async function deleteComments(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.sql
    .deleteFrom("comments")
    .where((eb) => anyOf(tx, eb.ref("id"), ids))
    .execute();
}

export async function deleteComment(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("comments").where("id", "=", id).execute();
}

export interface TextVersion {
  readonly issueId: number;
  /** Null: the issue's own text. */
  readonly commentId: number | null;
  readonly editorId: number | null;
  readonly content: string;
  readonly writtenMs: number;
}

/** Saves versions, with one statement. */
export async function insertHistory(tx: Tx, versions: readonly TextVersion[]): Promise<void> {
  await tx.sql
    .insertInto("content_history")
    .values(
      versions.map((text) => ({
        issue_id: text.issueId,
        comment_id: text.commentId,
        editor_id: text.editorId,
        content: text.content,
        written_ms: text.writtenMs,
      })),
    )
    .execute();
}
