import { type RawBuilder, type SqlBool, sql } from "kysely";
import { kindOf, type NewsReason, reasons } from "../reasons.ts";

/** A reason as a number in SQL: its minimum is the most specific one. */
export const rankOf = (reason: NewsReason): RawBuilder<number> => sql.lit(reasons.indexOf(reason));

/** Inverts `rankOf`. */
export const reasonAt = (rank: RawBuilder<unknown>): RawBuilder<string> =>
  sql`case ${rank} ${sql.join(
    reasons.map((reason, at) => sql`when ${sql.lit(at)} then ${sql.lit(reason)}`),
    sql` `,
  )} end`;

const kindAt = (rank: RawBuilder<unknown>): RawBuilder<string> =>
  sql`case ${rank} ${sql.join(
    reasons.map((reason, at) => sql`when ${sql.lit(at)} then ${sql.lit(kindOf(reason))}`),
    sql` `,
  )} end`;

/** Whether an account accepts notifications on pages for the reason with this rank. */
export const accepts = (accountId: RawBuilder<unknown>, rank: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`not exists (select 1 from notification_choices q where q.account_id = ${accountId} and q.kind = ${kindAt(rank)} and q.web = 0)`;
