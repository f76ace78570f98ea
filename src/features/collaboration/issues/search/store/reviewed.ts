import { type RawBuilder, type SqlBool, sql } from "kysely";

type Condition = RawBuilder<SqlBool>;

/** Pull requests among issues `i` that await a review by an account or one of its teams. */
export const awaitsReviewOf = (accountId: number): Condition => sql`i.id in (
  select r.issue_id from reviews r where r.reviewer_id = ${accountId} and r.kind = 'request'
  union select r.issue_id from team_members m join reviews r on r.team_id = m.team_id and r.kind = 'request' where m.account_id = ${accountId})`;

/** Pull requests among issues `i` that an account has reviewed. */
export const isReviewedBy = (accountId: number): Condition =>
  sql`i.id in (select r.issue_id from reviews r where r.reviewer_id = ${accountId} and r.kind in ('approve', 'reject', 'comment'))`;

/** Conjunction of conditions; undefined for none. */
export function allOf(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const requested = conditions.filter((condition) => condition !== undefined);
  return requested.length === 0 ? undefined : sql`(${sql.join(requested, sql` and `)})`;
}

export const matchesNone: Condition = sql`1 = 0`;
