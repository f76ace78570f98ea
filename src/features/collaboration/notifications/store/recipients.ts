import { type Compilable, type RawBuilder, type SqlBool, sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Given, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { looseScan } from "../../../../db/loose-scan.ts";
import { ignores, ignoring, includesIssue } from "../../../../db/watch-conditions.ts";
import type { NewsReason } from "../reasons.ts";
import { accepts, rankOf, reasonAt } from "./ranks.ts";

/** News of some issues, by one author. */
export interface News {
  readonly issueIds: readonly number[];
  /** The author, who is not notified; 0: the server. */
  readonly actorId: number;
  /** The comment; null for other news. */
  readonly commentId: number | null;
}

/** A possible recipient with the facts to check their access. */
export interface Candidate {
  readonly accountId: number;
  readonly issueId: number;
  readonly repoId: number;
  readonly isPull: boolean;
}

/** Parameters of the statements, besides the issues. */
type Filling = {
  readonly actorId: number;
  readonly commentId: number | null;
  readonly nowMs: number;
};

/** A constant statement for `compiled`, built once. */
const words = <Row>(reader: Reader, query: RawBuilder<Row>): Compilable<Row> => ({ compile: () => query.compile(reader.sql) });

/** A condition on a column with ids of issues. */
type OfIssues = (column: string) => RawBuilder<SqlBool>;

/**
 * A statement about some issues, which is often one. PostgreSQL plans a list shorter than it assumes again on each execution, and these
 * plans take ten times as long as their execution; it keeps the plan for a single id.
 */
function aboutIssues<G extends Given, Row, R extends Reader = Reader>(
  build: (reader: R, given: Slots<G>, ofIssues: OfIssues) => RawBuilder<Row>,
): (reader: R, given: G & Pick<News, "issueIds">) => Promise<readonly Row[]> {
  const one = compiled((reader: R, given: Slots<G & { issueId: number }>) =>
    words(
      reader,
      build(reader, given, (column) => sql<SqlBool>`${sql.ref(column)} = ${given.issueId}`),
    ),
  );
  const several = compiled((reader: R, given: Slots<G & { issueIds: readonly number[] }>) =>
    words(
      reader,
      build(reader, given, (column) => anyOf(reader, sql.ref<number>(column), given.issueIds)),
    ),
  );
  return (reader, given) => {
    const [issueId, ...others] = given.issueIds;
    return issueId === undefined || others.length > 0 ? several(reader, given) : one(reader, { ...given, issueId });
  };
}

/** Authors of comments: few, however long the conversations. */
const wroteBelow = (keys: RawBuilder<unknown>): RawBuilder<unknown> =>
  looseScan({ table: "comments", key: "issue_id", value: "poster_id", where: sql`kind in ('comment', 'review') and poster_id is not null`, keys });

/** Subscribers of issues, each with the most specific reason that they accept: watchers, authors, commenters, assignees and explicit subscribers. */
const followers = (those: OfIssues): RawBuilder<unknown> =>
  sql`(select every_reason.account_id, every_reason.issue_id, min(every_reason.rank) as rank from (
      select w.account_id, i.id as issue_id, ${rankOf("watch")} as rank from issues i
        join watches w on w.repo_id = i.repo_id and ${includesIssue} where ${those("i.id")}
      union all select i.poster_id, i.id, ${rankOf("author")} from issues i where ${those("i.id")} and i.poster_id is not null
      union all select c.poster_id, c.issue_id, ${rankOf("comment")} from ${wroteBelow(sql`select i.id as k from issues i where ${those("i.id")}`)} c
      union all select ia.account_id, ia.issue_id, ${rankOf("assignee")} from issue_assignees ia where ${those("ia.issue_id")}
      union all select s.account_id, s.issue_id, ${rankOf("subscribed")} from issue_subscriptions s where ${those("s.issue_id")} and s.is_subscribed = 1
    ) every_reason where ${accepts(sql.ref("every_reason.account_id"), sql.ref("every_reason.rank"))}
    group by every_reason.account_id, every_reason.issue_id)`;

/** Excludes users `a` who have a block with the author, or cannot sign in. */
export const hears = (actorId: RawBuilder<number>): RawBuilder<SqlBool> => sql`(
  a.id <> ${actorId} and a.kind = 'user' and a.is_active = 1 and a.prohibit_login = 0
  and not exists (select 1 from blocks b where b.blocker_id = a.id and b.account_id = ${actorId}))`;

/** Also excludes users who unsubscribed, or ignore the repository. */
const listens = (actorId: RawBuilder<number>): RawBuilder<SqlBool> => sql`(
  ${hears(actorId)} and not ${ignores(sql.ref("i.repo_id"), sql.ref("a.id"))}
  and not exists (select 1 from issue_subscriptions d where d.issue_id = f.issue_id and d.account_id = a.id and d.is_subscribed = 0))`;

/** Users whose access needs no check: everyone can read public content, except restricted users. */
export const isOpen: RawBuilder<SqlBool> = sql`(r.is_private = 0 and o.visibility <> 'private' and a.is_restricted = 0)`;

const from = (ofIssues: OfIssues): RawBuilder<unknown> => sql`${followers(ofIssues)} f
  join accounts a on a.id = f.account_id
  join issues i on i.id = f.issue_id
  join repositories r on r.id = i.repo_id
  join accounts o on o.id = r.owner_id`;

/** An existing thread becomes unread again; a pinned one stays pinned. */
const renew: RawBuilder<unknown> = sql`on conflict (account_id, issue_id) where issue_id is not null do update set
  status = case when notifications.status = 'pinned' then 'pinned' else 'unread' end,
  comment_id = coalesce(excluded.comment_id, notifications.comment_id),
  reason = excluded.reason,
  updated_ms = excluded.updated_ms`;

const values = ({ commentId, nowMs }: Slots<Pick<Filling, "commentId" | "nowMs">>): RawBuilder<unknown> =>
  sql`'unread', cast(${commentId} as bigint), cast(${nowMs} as bigint), cast(${nowMs} as bigint)`;

const columns = sql`(account_id, repo_id, issue_id, reason, status, comment_id, created_ms, updated_ms)`;

const insertForOpen = aboutIssues(
  (_tx: Tx, given: Slots<Filling>, ofIssues) => sql<never>`insert into notifications ${columns}
    select a.id, i.repo_id, i.id, ${reasonAt(sql.ref("f.rank"))}, ${values(given)} from ${from(ofIssues)} where ${isOpen} and ${listens(given.actorId)} ${renew}`,
);

/** Notifies all subscribers of issues in public repositories. One statement. */
export async function notifyOpenFollowers(tx: Tx, news: News): Promise<void> {
  await insertForOpen(tx, { ...news, nowMs: tx.nowMs });
}

interface FollowerRow {
  readonly account_id: number;
  readonly issue_id: number;
  readonly repo_id: number;
  readonly is_pull: number;
  readonly is_open: number;
}

const selectFollowers = aboutIssues(
  (_db: Reader, given: Slots<Pick<Filling, "actorId">>, ofIssues) => sql<FollowerRow>`with listening as materialized (
      select a.id as account_id, i.id as issue_id, i.repo_id, i.is_pull, case when ${isOpen} then 1 else 0 end as is_open
      from ${from(ofIssues)} where ${listens(given.actorId)})
    select * from listening where is_open = 0
    union all select * from (select * from listening where is_open = 1 limit 1) one
    order by account_id, issue_id`,
);

/** Subscribers of some issues. */
export interface Followers {
  /** Whether any need no access check: there can be very many of them. */
  readonly hasOpen: boolean;
  /** Subscribers whose access must be checked first. */
  readonly guarded: readonly Candidate[];
}

/** One statement. */
export async function findFollowers(db: Reader, { issueIds, actorId }: News): Promise<Followers> {
  const rows = await selectFollowers(db, { issueIds, actorId });
  const guarded = rows.filter((row) => row.is_open === 0);
  return {
    hasOpen: guarded.length < rows.length,
    guarded: guarded.map((row) => ({ accountId: row.account_id, issueId: row.issue_id, repoId: row.repo_id, isPull: row.is_pull === 1 })),
  };
}

const insertForReaders = aboutIssues(
  (tx: Tx, given: Slots<Filling & { accountIds: readonly number[] }>, ofIssues) => sql<never>`insert into notifications ${columns}
    select a.id, i.repo_id, i.id, ${reasonAt(sql.ref("f.rank"))}, ${values(given)} from ${from(ofIssues)}
    where ${anyOf(tx, sql.ref<number>("a.id"), given.accountIds)} and ${listens(given.actorId)} ${renew}`,
);

/** Notifies those of the accounts that are subscribed to the issues. One statement. */
export async function notifyFollowersAmong(tx: Tx, news: News, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length > 0) await insertForReaders(tx, { ...news, accountIds, nowMs: tx.nowMs });
}

/** Users whom an event names, by reason. */
export type Named = {
  readonly mentionedIds: readonly number[];
  readonly askedIds: readonly number[];
  readonly assigneeIds: readonly number[];
};

const insertForNamed = aboutIssues((tx: Tx, given: Slots<Filling & Named>, ofIssues) => {
  const by = (reason: NewsReason, ids: RawBuilder<readonly number[]>) =>
    sql`select id as account_id, ${rankOf(reason)} as rank from accounts where ${anyOf(tx, sql<number>`id`, ids)}`;
  return sql<never>`insert into notifications ${columns}
      select f.account_id, i.repo_id, i.id, ${reasonAt(sql.ref("f.rank"))}, ${values(given)} from (
        select named.account_id, min(named.rank) as rank from (
          ${by("mention", given.mentionedIds)} union all ${by("requested", given.askedIds)} union all ${by("assign", given.assigneeIds)}
        ) named where ${accepts(sql.ref("named.account_id"), sql.ref("named.rank"))} group by named.account_id) f, issues i
      where ${ofIssues("i.id")} and f.account_id <> ${given.actorId}
        and f.account_id not in ${ignoring(sql`select gi.repo_id from issues gi where ${ofIssues("gi.id")}`)}
      ${renew}`;
});

/** Notifies the named accounts that accept it, subscribed or not, except the author and those that ignore the repository. One statement. */
export async function notify(tx: Tx, news: News, named: Named): Promise<void> {
  await insertForNamed(tx, { ...news, ...named, nowMs: tx.nowMs });
}

/** A commit, with the reason of the notification. */
export interface CommitNews {
  readonly repoId: number;
  readonly oid: string;
  readonly reason: "mention" | "author" | "comment";
}

const accepted = (reason: NewsReason): RawBuilder<SqlBool> => accepts(sql.ref("a.id"), rankOf(reason));

/** New threads of the accounts, except those that ignore the repository or do not meet the condition. */
const insertCommitThreads = (
  tx: Tx,
  { repoId, oid, reason }: CommitNews,
  accountIds: readonly number[],
  { status, condition }: { readonly status: RawBuilder<"unread" | "read">; readonly condition: RawBuilder<SqlBool> },
) =>
  tx.sql
    .insertInto("notifications")
    .columns(["account_id", "repo_id", "commit_oid", "reason", "status", "created_ms", "updated_ms"])
    .expression(
      tx.sql
        .selectFrom("accounts as a")
        .select(({ val, cast }) => [
          "a.id",
          cast<number>(val(repoId), "bigint").as("repo_id"),
          cast<string>(val(oid), "text").as("commit_oid"),
          cast<string>(val(reason), "text").as("reason"),
          status.as("status"),
          cast<number>(val(tx.nowMs), "bigint").as("created_ms"),
          cast<number>(val(tx.nowMs), "bigint").as("updated_ms"),
        ])
        .where((eb) => anyOf(tx, eb.ref("a.id"), accountIds))
        .where(sql<SqlBool>`not ${ignores(sql`${repoId}`, sql.ref("a.id"))}`)
        .where(condition),
    );

/**
 * Notifies the accounts that a pushed commit mentions them, once however often it is pushed. The thread of an account that does not want it
 * on pages is already read: emails look for it. One statement.
 */
export async function notifyOfCommit(tx: Tx, repoId: number, oid: string, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  const status = sql<"unread" | "read">`case when ${accepted("mention")} then 'unread' else 'read' end`;
  await insertCommitThreads(tx, { repoId, oid, reason: "mention" }, accountIds, { status, condition: sql<SqlBool>`1 = 1` })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Notifies those of the accounts that want it of a comment on a commit, also if they have read of the commit. One statement. */
export async function notifyOfCommitComment(tx: Tx, news: CommitNews, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  await insertCommitThreads(tx, news, accountIds, { status: sql`'unread'`, condition: accepted(news.reason) })
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "repo_id", "commit_oid"])
        .where("commit_oid", "is not", null)
        .doUpdateSet({ status: sql`case when notifications.status = 'pinned' then 'pinned' else 'unread' end`, reason: news.reason, updated_ms: tx.nowMs }),
    )
    .execute();
}

/** Notifies the accounts of a repository itself. One statement. */
export async function notifyOfRepository(tx: Tx, repoId: number, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  await tx.sql
    .insertInto("notifications")
    .values(accountIds.map((account_id) => ({ ...unreadNow(tx), account_id, repo_id: repoId, issue_id: null, commit_oid: null, reason: "recipient" })))
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "repo_id"])
        .where((eb) => eb.and([eb("issue_id", "is", null), eb("commit_oid", "is", null)]))
        .doUpdateSet({ status: sql`case when notifications.status = 'pinned' then 'pinned' else 'unread' end`, updated_ms: tx.nowMs }),
    )
    .execute();
}

const unreadNow = ({ nowMs }: Tx) => ({ status: "unread", comment_id: null, created_ms: nowMs, updated_ms: nowMs }) as const;
