import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Page, Paged } from "../../../core/paging.ts";
import { anyOf } from "../../../db/any-of.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { ThreadFilter, ThreadRow, ThreadStatus } from "../view.ts";

/** The threads of an account. */
export interface ThreadScope {
  readonly accountId: number;
  /** Which repositories its owner can read at the moment: a condition on the aliases `r` (repositories) and `o` (their owners). */
  readonly readable: RawBuilder<SqlBool>;
}

const columns = [
  "n.id",
  "n.account_id",
  "n.repo_id",
  "n.status",
  "n.updated_ms",
  "n.issue_id",
  "n.comment_id",
  "i.number",
  "i.is_pull",
  "i.is_closed",
  "i.title",
] as const;

interface Row {
  readonly id: number;
  readonly account_id: number;
  readonly repo_id: number;
  readonly status: ThreadStatus;
  readonly updated_ms: number;
  readonly issue_id: number;
  readonly comment_id: number | null;
  readonly number: number;
  readonly is_pull: number;
  readonly is_closed: number;
  readonly title: string;
}

const toRow = (row: Row): ThreadRow => ({
  id: row.id,
  accountId: row.account_id,
  repoId: row.repo_id,
  status: row.status,
  updatedMs: row.updated_ms,
  subject: {
    issueId: row.issue_id,
    number: row.number,
    isPull: row.is_pull === 1,
    isClosed: row.is_closed === 1,
    title: row.title,
    commentId: row.comment_id,
  },
});

const threads = (db: Reader) =>
  db.sql
    .selectFrom("notifications as n")
    .innerJoin("issues as i", "i.id", "n.issue_id")
    .innerJoin("repositories as r", "r.id", "n.repo_id")
    .innerJoin("accounts as o", "o.id", "r.owner_id");

/** What a filter says of threads themselves. */
function ownCondition(scope: ThreadScope, filter: ThreadFilter): RawBuilder<SqlBool> {
  const parts = [sql<SqlBool>`n.account_id = ${scope.accountId}`];
  if (filter.repoId !== undefined) parts.push(sql`n.repo_id = ${filter.repoId}`);
  if (filter.statuses.length > 0) {
    // In the words of the partial index: those that are not read are few among many.
    if (!filter.statuses.includes("read")) parts.push(sql`n.status <> 'read'`);
    parts.push(sql`n.status in (${sql.join(filter.statuses)})`);
  }
  if (filter.subjectTypes.length > 0) {
    const kinds = filter.subjectTypes.flatMap((type) => (type === "issue" ? [0] : type === "pull" ? [1] : []));
    const isOfKind = sql<SqlBool>`exists (select 1 from issues k where k.id = n.issue_id and k.is_pull in (${sql.join(kinds)}))`;
    parts.push(kinds.length === 0 ? sql`1 = 0` : isOfKind);
  }
  if (filter.sinceMs !== undefined) parts.push(sql`n.updated_ms >= ${filter.sinceMs}`);
  if (filter.beforeMs !== undefined) parts.push(sql`n.updated_ms <= ${filter.beforeMs}`);
  return sql`(${sql.join(parts, sql` and `)})`;
}

const selectThreads = (db: Reader, scope: ThreadScope, filter: ThreadFilter) => threads(db).where(ownCondition(scope, filter)).where(scope.readable);

/** Threads, those with the latest news first. At most two statements. */
export async function pageThreads(db: Reader, scope: ThreadScope, filter: ThreadFilter, page: Page): Promise<Paged<ThreadRow>> {
  const query = selectThreads(db, scope, filter);
  const rows = await query.select(columns).orderBy("n.updated_ms", "desc").orderBy("n.id", "desc").limit(page.limit).offset(page.offset).execute();
  const items = rows.map(toRow);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  return { items, total: await countThreads(db, scope, filter) };
}

/** Counted by repository first: whether its owner can read one is asked once, not for every thread. */
export async function countThreads(db: Reader, scope: ThreadScope, filter: ThreadFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`select coalesce(sum(c.n), 0) as total
    from (select n.repo_id, count(*) as n from notifications n where ${ownCondition(scope, filter)} group by n.repo_id) c
    join repositories r on r.id = c.repo_id join accounts o on o.id = r.owner_id where ${scope.readable}`.execute(db.sql);
  return Number(rows[0]?.total ?? 0);
}

/** A thread, whosoever it is. */
export async function findThread(db: Reader, id: number): Promise<ThreadRow | undefined> {
  const row = await threads(db).select(columns).where("n.id", "=", id).where("r.deleted_ms", "is", null).executeTakeFirst();
  return row && toRow(row);
}

/** Marks all that a filter lets through. @returns their ids */
export async function markThreads(tx: Tx, scope: ThreadScope, filter: ThreadFilter, status: ThreadStatus): Promise<readonly number[]> {
  const chosen = selectThreads(tx, scope, filter).select("n.id");
  const rows = await tx.sql.updateTable("notifications").set({ status }).where("id", "in", chosen).returning("id").execute();
  return rows.map(({ id }) => id);
}

/** Threads of some ids, those with the latest news first. */
export async function loadThreads(db: Reader, ids: readonly number[]): Promise<readonly ThreadRow[]> {
  const rows = await threads(db)
    .select(columns)
    .where((eb) => anyOf(db, eb.ref("n.id"), ids))
    .orderBy("n.updated_ms", "desc")
    .orderBy("n.id", "desc")
    .execute();
  return rows.map(toRow);
}

export async function markThread(tx: Tx, id: number, status: ThreadStatus): Promise<void> {
  await tx.sql.updateTable("notifications").set({ status }).where("id", "=", id).execute();
}
