import { type RawBuilder, type SqlBool, sql } from "kysely";

/**
 * Conditions that decide who is notified of the activity of a repository. Notifications and emails use the same ones: watchers receive the
 * kinds of activity that they selected, and accounts that ignore a repository receive nothing.
 */

/** Whether a row `w` of watches includes an issue or pull request `i`. */
export const includesIssue: RawBuilder<SqlBool> = sql`(case when i.is_pull = 1 then w.pulls else w.issues end = 1)`;

/** Whether a row `w` of watches includes releases. */
export const includesReleases: RawBuilder<SqlBool> = sql`(w.releases = 1)`;

/** Whether an account ignores a repository. */
export const ignores = (repoId: RawBuilder<unknown>, accountId: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`exists (select 1 from ignored_repositories g where g.repo_id = ${repoId} and g.account_id = ${accountId})`;

/** The accounts that ignore one of some repositories. Unlike {@link ignores}, its cost does not depend on the number of compared accounts. */
export const ignoring = (repoIds: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select g.account_id from ignored_repositories g where g.repo_id in (${repoIds}))`;
