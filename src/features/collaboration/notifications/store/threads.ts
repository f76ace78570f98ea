import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Page } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { PushedCommit, SubjectType, ThreadFilter, ThreadRow, ThreadStatus, ThreadSubject } from "../model.ts";
import { reasons, type ThreadReason } from "../reasons.ts";

/** The threads of one type that an account has for one repository. */
export interface ThreadGroup {
  readonly repoId: number;
  readonly type: SubjectType;
  readonly count: number;
}

/** The threads of an account. */
export interface ThreadScope {
  readonly accountId: number;
  /** Types and repositories that the account can no longer read, which are left out. */
  readonly hidden: readonly Pick<ThreadGroup, "repoId" | "type">[];
}

const type = sql<SubjectType>`case when n.release_id is not null then 'release' when n.commit_oid is not null then 'commit' when n.issue_id is null then 'repository' when i.is_pull = 1 then 'pull' else 'issue' end`;

interface Row {
  readonly id: number;
  readonly account_id: number;
  readonly repo_id: number;
  readonly status: ThreadStatus;
  readonly reason: string | null;
  readonly updated_ms: number;
  readonly comment_id: number | null;
  readonly commit_oid: string | null;
  readonly type: SubjectType;
  readonly number: number | null;
  readonly is_closed: number | null;
  readonly title: string | null;
  readonly merged_ms: number | null;
  readonly tag_name: string | null;
  readonly release_title: string | null;
}

const threadReasons: readonly ThreadReason[] = [...reasons, "recipient"];

const toRow = (row: Row): ThreadRow => ({
  id: row.id,
  accountId: row.account_id,
  repoId: row.repo_id,
  status: row.status,
  reason: threadReasons.find((one) => one === row.reason),
  updatedMs: row.updated_ms,
  subject: subjectOf(row),
});

function subjectOf(row: Row): ThreadSubject {
  if (row.tag_name !== null) return { type: "release", tagName: row.tag_name, title: row.release_title || row.tag_name };
  if (row.commit_oid !== null) return { type: "commit", oid: row.commit_oid };
  if (row.number === null) return { type: "repository" };
  const state = row.merged_ms !== null ? "merged" : row.is_closed === 1 ? "closed" : "open";
  return { type: row.type === "pull" ? "pull" : "issue", number: row.number, state, title: row.title ?? "", commentId: row.comment_id };
}

const threads = (db: Reader) =>
  db.sql
    .selectFrom("notifications as n")
    .leftJoin("issues as i", "i.id", "n.issue_id")
    .leftJoin("pull_requests as p", "p.issue_id", "n.issue_id")
    .leftJoin("releases as rl", "rl.id", "n.release_id")
    .select([
      "n.id",
      "n.account_id",
      "n.repo_id",
      "n.status",
      "n.reason",
      "n.updated_ms",
      "n.comment_id",
      "n.commit_oid",
      type.as("type"),
      "i.number",
      "i.is_closed",
      "i.title",
      "p.merged_ms",
      "rl.tag_name",
      "rl.title as release_title",
    ]);

/** Condition of a filter on threads `n` of an account. */
function ownCondition(db: Reader, accountId: number, filter: ThreadFilter): RawBuilder<SqlBool> {
  const parts = [sql<SqlBool>`n.account_id = ${accountId}`];
  if (filter.ids !== undefined) parts.push(anyOf(db, sql.ref<number>("n.id"), filter.ids));
  if (filter.repoId !== undefined) parts.push(sql`n.repo_id = ${filter.repoId}`);
  if (filter.statuses.length > 0) {
    // Worded like the condition of the partial index, because unread threads are few.
    if (!filter.statuses.includes("read")) parts.push(sql`n.status <> 'read'`);
    parts.push(sql`n.status in (${sql.join(filter.statuses)})`);
  }
  if (filter.sinceMs !== undefined) parts.push(sql`n.updated_ms >= ${filter.sinceMs}`);
  if (filter.beforeMs !== undefined) parts.push(sql`n.updated_ms <= ${filter.beforeMs}`);
  return sql`(${sql.join(parts, sql` and `)})`;
}

/** The same on threads `n` with their issues `i`, without hidden ones. */
function condition(db: Reader, scope: ThreadScope, filter: ThreadFilter): RawBuilder<SqlBool> {
  const parts = [ownCondition(db, scope.accountId, filter)];
  if (filter.subjectTypes.length > 0) parts.push(sql`${type} in (${sql.join(filter.subjectTypes)})`);
  for (const [hiddenType, groups] of Map.groupBy(scope.hidden, (group) => group.type)) {
    const repoIds = groups.map(({ repoId }) => repoId);
    parts.push(sql`not (${type} = ${hiddenType} and ${anyOf(db, sql.ref<number>("n.repo_id"), repoIds)})`);
  }
  return sql`(${sql.join(parts, sql` and `)})`;
}

/** Number of threads that match a filter, by repository and type, for access checks. One statement. */
export async function countThreads(db: Reader, accountId: number, filter: ThreadFilter): Promise<readonly ThreadGroup[]> {
  const { rows } = await sql<{ repo_id: number; type: SubjectType; total: number }>`select n.repo_id, ${type} as type, count(*) as total
    from notifications n left join issues i on i.id = n.issue_id where ${ownCondition(db, accountId, filter)} group by 1, 2`.execute(db.sql);
  const groups = rows.map((row) => ({ repoId: row.repo_id, type: row.type, count: Number(row.total) }));
  return filter.subjectTypes.length === 0 ? groups : groups.filter((group) => filter.subjectTypes.includes(group.type));
}

/** Threads, most recently updated first. One statement. */
export async function pageThreads(db: Reader, scope: ThreadScope, filter: ThreadFilter, page: Page): Promise<readonly ThreadRow[]> {
  const query = threads(db).where(condition(db, scope, filter));
  const rows = await query.orderBy("n.updated_ms", "desc").orderBy("n.id", "desc").limit(page.limit).offset(page.offset).execute();
  return rows.map(toRow);
}

/** A thread of any account. */
export async function findThread(db: Reader, id: number): Promise<ThreadRow | undefined> {
  const row = await threads(db).where("n.id", "=", id).executeTakeFirst();
  return row && toRow(row);
}

/** Marks all threads that match a filter. @returns their ids */
export async function markThreads(tx: Tx, scope: ThreadScope, filter: ThreadFilter, status: ThreadStatus): Promise<readonly number[]> {
  const chosen = sql<number>`(select n.id from notifications n left join issues i on i.id = n.issue_id where ${condition(tx, scope, filter)})`;
  const rows = await tx.sql.updateTable("notifications").set({ status }).where("id", "in", chosen).returning("id").execute();
  return rows.map(({ id }) => id);
}

/** Threads by id, most recently updated first. */
export async function loadThreads(db: Reader, ids: readonly number[]): Promise<readonly ThreadRow[]> {
  const rows = await threads(db)
    .where((eb) => anyOf(db, eb.ref("n.id"), ids))
    .orderBy("n.updated_ms", "desc")
    .orderBy("n.id", "desc")
    .execute();
  return rows.map(toRow);
}

export async function markThread(tx: Tx, id: number, status: ThreadStatus): Promise<void> {
  await tx.sql.updateTable("notifications").set({ status }).where("id", "=", id).execute();
}

/** The threads of an issue follow it to another repository. */
export async function moveThreads(tx: Tx, issueId: number, repoId: number): Promise<void> {
  await tx.sql.updateTable("notifications").set({ repo_id: repoId }).where("issue_id", "=", issueId).execute();
}

/** Accounts that accept emails about mentions and have a thread about a commit that was created at this time. One statement. */
export async function listNotifiedAt(db: Reader, accountIds: readonly number[], { repoId, oid, pushedMs }: PushedCommit): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("notifications")
    .select("account_id")
    .where((eb) => anyOf(db, eb.ref("account_id"), accountIds))
    .where("repo_id", "=", repoId)
    .where("commit_oid", "=", oid)
    .where("created_ms", "=", pushedMs)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("notification_choices as q")
            .select("q.kind")
            .whereRef("q.account_id", "=", "notifications.account_id")
            .where("q.kind", "=", "mention")
            .where("q.email", "=", 0),
        ),
      ),
    )
    .orderBy("account_id")
    .execute();
  return rows.map((row) => row.account_id);
}
