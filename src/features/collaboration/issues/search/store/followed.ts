import { type RawBuilder, type SqlBool, sql } from "kysely";

/** Maximum number of a user's latest comments whose issues are considered. */
const maxComments = 2_000;

/**
 * Issues `i` that an account is subscribed to itself, and not only through the repository: explicitly, or as author, assignee or commenter
 * without having unsubscribed. Indexes of the account yield them.
 */
export const isFollowedBy = (accountId: number): RawBuilder<SqlBool> => sql`(i.id in (
  select s.issue_id from issue_subscriptions s where s.account_id = ${accountId} and s.is_subscribed = 1
  union select p.id from issues p where p.poster_id = ${accountId}
  union select a.issue_id from issue_assignees a where a.account_id = ${accountId}
  union select c.issue_id from (select w.issue_id, w.kind from comments w where w.poster_id = ${accountId} order by w.id desc limit ${maxComments}) c
    where c.kind in ('comment', 'review'))
  and not exists (select 1 from issue_subscriptions d where d.issue_id = i.id and d.account_id = ${accountId} and d.is_subscribed = 0))`;
