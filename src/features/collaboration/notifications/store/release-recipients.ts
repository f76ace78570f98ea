import { type RawBuilder, type SqlBool, sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { includesReleases } from "../../../../db/watch-conditions.ts";
import type { ReleaseNews } from "../model.ts";
import { accepts, rankOf } from "./ranks.ts";
import { hears, isOpen } from "./recipients.ts";

const watchers = ({ repoId }: ReleaseNews): RawBuilder<unknown> => sql`watches w
  join accounts a on a.id = w.account_id
  join repositories r on r.id = w.repo_id
  join accounts o on o.id = r.owner_id
  where w.repo_id = ${repoId} and ${includesReleases}`;

const listens = ({ actorId }: ReleaseNews): RawBuilder<SqlBool> => sql`(${hears(sql`${actorId ?? 0}`)} and ${accepts(sql.ref("a.id"), rankOf("watch"))})`;

/** Watchers of releases whose access must be checked first. One statement. */
export async function findGuardedWatchers(db: Reader, news: ReleaseNews): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`select a.id from ${watchers(news)} and ${listens(news)} and not ${isOpen}`.execute(db.sql);
  return rows.map(({ id }) => id);
}

/** The value of `commit_oid` in threads about a release, which is no object id: the unique index of commits is that of releases, too. */
const threadKey = (releaseId: number): string => `release-${releaseId}`;

/** Notifies the watchers of releases: those whose access needs no check, and the given readers. One statement. */
export async function notifyReleaseWatchers(tx: Tx, news: ReleaseNews, readerIds: readonly number[]): Promise<void> {
  const { repoId, releaseId } = news;
  const now = sql`cast(${tx.nowMs} as bigint)`;
  await sql`insert into notifications (account_id, repo_id, release_id, commit_oid, reason, status, created_ms, updated_ms)
    select a.id, cast(${repoId} as bigint), cast(${releaseId} as bigint), cast(${threadKey(releaseId)} as text), 'watch', 'unread', ${now}, ${now}
    from ${watchers(news)} and ${listens(news)} and (${isOpen} or ${anyOf(tx, sql.ref<number>("a.id"), readerIds)})
    on conflict (account_id, repo_id, commit_oid) where commit_oid is not null do update set
      status = case when notifications.status = 'pinned' then 'pinned' else 'unread' end, updated_ms = excluded.updated_ms`.execute(tx.sql);
}

/** Deletes the threads about releases that have become drafts. */
export async function deleteReleaseThreads(tx: Tx, releaseIds: readonly number[]): Promise<void> {
  await tx.sql
    .deleteFrom("notifications")
    .where(anyOf(tx, sql.ref<number>("release_id"), releaseIds))
    .execute();
}

/**
 * A batch of watchers of releases who accept emails about watched repositories, by id, after a given one; the publisher only if they want
 * emails about their own actions. Read access is checked for each email when it is sent. One statement.
 */
export async function listReleaseAddressees(db: Reader, news: ReleaseNews, afterId: number, limit: number): Promise<readonly number[]> {
  const actorId = news.actorId ?? 0;
  const { rows } = await sql<{ id: number }>`select a.id from ${watchers(news)}
    and a.id > ${afterId} and (${hears(sql`${actorId}`)} or (a.id = ${actorId} and a.email_notifications = 'andyourown'))
    and a.email_notifications in ('enabled', 'andyourown')
    and not exists (select 1 from notification_choices q where q.account_id = a.id and q.kind = 'watch' and q.email = 0)
    order by a.id limit ${limit}`.execute(db.sql);
  return rows.map(({ id }) => id);
}
