import { type RawBuilder, sql } from "kysely";
import { anyOf } from "../../../db/any-of.ts";
import type { Reader } from "../../../db/db.ts";
import { looseScan } from "../../../db/loose-scan.ts";
import { ignores, includesIssue } from "../../../db/watch-conditions.ts";
import { kindOf, reasons } from "../notifications/reasons.ts";
import type { Addressee, Happening, IssueNews, Mailbox } from "./model.ts";

/** Kinds of emails that go only to the named users; all others go to all subscribers. */
const isForNamed: ReadonlySet<Happening> = new Set<Happening>(["requested", "assigned", "mentioned"]);

const rankOf = (reason: Addressee["reason"]): RawBuilder<number> => sql.lit(reasons.indexOf(reason));
const kindOfRank = sql`case f.rank ${sql.join(
  reasons.map((reason, at) => sql`when ${sql.lit(at)} then ${sql.lit(kindOf(reason))}`),
  sql` `,
)} end`;
/** Named users get the email even if they unsubscribed from the issue, and with the setting for mentions only. */
const isNamed = sql`f.rank <= ${rankOf("assign")}`;

/** Authors of comments: few, however long the conversation. */
const wroteBelow = (issueId: number): RawBuilder<unknown> =>
  looseScan({
    table: "comments",
    key: "issue_id",
    value: "poster_id",
    where: sql`kind in ('comment', 'review') and poster_id is not null`,
    keys: sql`select id as k from issues where id = ${issueId}`,
  });

function followers(db: Reader, { happening, issueId, mentionedIds, askedIds, assigneeIds }: IssueNews): RawBuilder<unknown> {
  const named = (ids: readonly number[], reason: Addressee["reason"]) =>
    sql`select id as account_id, ${rankOf(reason)} as rank from accounts where ${anyOf(db, sql<number>`id`, ids)}`;
  const all = sql`
    union all select poster_id, ${rankOf("author")} from issues where id = ${issueId} and poster_id is not null
    union all select account_id, ${rankOf("assignee")} from issue_assignees where issue_id = ${issueId}
    union all select poster_id, ${rankOf("comment")} from ${wroteBelow(issueId)} c
    union all select account_id, ${rankOf("subscribed")} from issue_subscriptions where issue_id = ${issueId} and is_subscribed = 1
    union all select w.account_id, ${rankOf("watch")} from issues i join watches w on w.repo_id = i.repo_id and ${includesIssue} where i.id = ${issueId}`;
  const those = sql`${named(mentionedIds, "mention")} union all ${named(askedIds, "requested")} union all ${named(assigneeIds, "assign")}`;
  return sql`(${those}${isForNamed.has(happening) ? sql`` : all})`;
}

/**
 * A batch of possible recipients by id, after a given one: users who can sign in, accept emails of this kind and have no block with
 * the author; the author only if they want emails about their own actions. Read access is checked for each email when it is sent.
 * One statement.
 */
export async function listAddressees(db: Reader, news: IssueNews, afterId: number, limit: number): Promise<readonly Addressee[]> {
  const actorId = news.actorId ?? 0;
  const { rows } = await sql<{ account_id: number; rank: number }>`
    select f.account_id, min(f.rank) as rank from ${followers(db, news)} f
    join accounts a on a.id = f.account_id
    where f.account_id > ${afterId} and a.kind = 'user' and a.is_active = 1 and a.prohibit_login = 0
      and a.email_notifications <> 'disabled' and (a.email_notifications <> 'onmention' or ${isNamed})
      and not exists (select 1 from notification_choices q where q.account_id = a.id and q.kind = ${kindOfRank} and q.email = 0)
      and (a.id <> ${actorId} or a.email_notifications = 'andyourown')
      and (${isNamed} or not exists (select 1 from issue_subscriptions d where d.issue_id = ${news.issueId} and d.account_id = a.id and d.is_subscribed = 0))
      and not ${ignores(sql`${news.repoId}`, sql.ref("a.id"))}
      and not exists (select 1 from blocks b where b.blocker_id = a.id and b.account_id = ${actorId})
    group by f.account_id order by f.account_id limit ${limit}`.execute(db.sql);
  return rows.map((row) => ({ accountId: row.account_id, reason: reasons[row.rank] ?? "watch" }));
}

export async function findMailbox(db: Reader, accountId: number): Promise<Mailbox | undefined> {
  const row = await db.sql
    .selectFrom("accounts as a")
    .innerJoin("account_emails as e", "e.account_id", "a.id")
    .select(["e.email", "e.is_verified", "a.email_notifications"])
    .where("a.id", "=", accountId)
    .where("e.is_primary", "=", sql.lit(1))
    .executeTakeFirst();
  return row && { email: row.email, isVerified: row.is_verified === 1, choice: row.email_notifications };
}
