import { type SqlBool, sql } from "kysely";
import type { Actor } from "../../../../../access/actor.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../../db/db.ts";
import { ignores, includesIssue } from "../../../../../db/watch-conditions.ts";
import { visibleAccounts } from "../../../../accounts/users/visible.ts";

/** Facts that decide whether an account is subscribed to an issue. */
export interface Interest {
  /** Explicit choice of the account; undefined without one. */
  readonly chosen: boolean | undefined;
  /** Watches issues, or pull requests if it is one. */
  readonly watchesRepository: boolean;
  /** Ignores the repository, which excludes all notifications. */
  readonly ignoresRepository: boolean;
  /** Author, assignee or commenter. */
  readonly takesPart: boolean;
}

/** One statement. */
export async function findInterest(db: Reader, issueId: number, accountId: number): Promise<Interest> {
  const { rows } = await sql<{ chosen: number | null; watches: number; ignores: number; takes_part: number }>`
    select
      (select s.is_subscribed from issue_subscriptions s where s.issue_id = i.id and s.account_id = ${accountId}) as chosen,
      (select count(*) from watches w where w.repo_id = i.repo_id and w.account_id = ${accountId} and ${includesIssue}) as watches,
      case when ${ignores(sql.ref("i.repo_id"), sql`${accountId}`)} then 1 else 0 end as ignores,
      case when i.poster_id = ${accountId}
        or exists (select 1 from issue_assignees a where a.issue_id = i.id and a.account_id = ${accountId})
        or exists (select 1 from comments c where c.issue_id = i.id and c.poster_id = ${accountId} and c.kind in ('comment', 'review'))
        then 1 else 0 end as takes_part
    from issues i where i.id = ${issueId}`.execute(db.sql);
  const [row] = rows;
  return {
    chosen: row === undefined || row.chosen === null ? undefined : row.chosen === 1,
    watchesRepository: Number(row?.watches ?? 0) > 0,
    ignoresRepository: row?.ignores === 1,
    takesPart: row?.takes_part === 1,
  };
}

/** Ids of a page of subscribers visible to the actor, by name. At most two statements. */
export async function pageSubscriberIds(db: Reader, issueId: number, actor: Actor, page: Page): Promise<Paged<number>> {
  const { visibilities, viewerId } = visibleAccounts(actor);
  const query = db.sql
    .selectFrom("issue_subscriptions as s")
    .innerJoin("accounts as a", "a.id", "s.account_id")
    .where("s.issue_id", "=", issueId)
    .where("s.is_subscribed", "=", 1)
    .where(sql<SqlBool>`(a.visibility in (${sql.join([...visibilities])}) or a.id = ${viewerId})`);
  const rows = await query.select("a.id").orderBy("a.id").limit(page.limit).offset(page.offset).execute();
  const items = rows.map(({ id }) => id);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}

/** Stores an explicit choice. */
export async function putSubscription(tx: Tx, issueId: number, accountId: number, isSubscribed: boolean): Promise<void> {
  const is_subscribed = isSubscribed ? 1 : 0;
  await tx.sql
    .insertInto("issue_subscriptions")
    .values({ issue_id: issueId, account_id: accountId, is_subscribed, created_ms: tx.nowMs })
    .onConflict((conflict) => conflict.columns(["issue_id", "account_id"]).doUpdateSet({ is_subscribed, created_ms: tx.nowMs }))
    .execute();
}

/** Unsubscribes an account if both the account and the issue still exist. */
export async function declineSubscription(tx: Tx, issueId: number, accountId: number): Promise<void> {
  await sql`insert into issue_subscriptions (issue_id, account_id, is_subscribed, created_ms)
    select i.id, a.id, 0, cast(${tx.nowMs} as bigint) from issues i, accounts a where i.id = ${issueId} and a.id = ${accountId}
    on conflict (issue_id, account_id) do update set is_subscribed = 0, created_ms = excluded.created_ms`.execute(tx.sql);
}

/** Ids of the users who opened, commented on or reviewed an issue, from an index of these. One statement. */
export async function listParticipantIds(db: Reader, issueId: number, limit: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`select poster_id as id from issues where id = ${issueId} and poster_id is not null
    union select poster_id from comments where issue_id = ${issueId} and kind in ('comment', 'review') and poster_id is not null
    limit ${limit}`.execute(db.sql);
  return rows.map(({ id }) => Number(id));
}
