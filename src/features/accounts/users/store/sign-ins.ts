import { sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";

/** The failures and known networks relevant to a sign-in attempt. */
export interface AttemptRow {
  /** Set if the account has signed in from this network. */
  readonly seenMs: number | undefined;
  /** The time at which all failures are forgotten, by subject. */
  readonly forgottenMs: ReadonlyMap<string, number>;
}

const selectAttempt = compiled((db, given: Slots<{ subjects: readonly string[]; accountId: number; network: string }>) =>
  db.sql
    .selectFrom("sign_in_throttles")
    .select(["subject", "expires_ms as ms"])
    .where((eb) => anyOf(db, eb.ref("subject"), given.subjects))
    .unionAll(
      db.sql
        .selectFrom("sign_in_networks")
        .select([sql<string>`''`.as("subject"), "seen_ms as ms"])
        .where("account_id", "=", given.accountId)
        .where("network", "=", given.network),
    ),
);

/** One statement. @param accountId 0 for an unknown name */
export async function loadAttempt(db: Reader, subjects: readonly string[], accountId: number, network: string): Promise<AttemptRow> {
  const rows = await selectAttempt(db, { subjects, accountId, network });
  return {
    seenMs: rows.find(({ subject }) => subject === "")?.ms,
    forgottenMs: new Map(rows.filter(({ subject }) => subject !== "").map(({ subject, ms }) => [subject, ms])),
  };
}

/** Counts a failure for each subject: extends the time until its failures are forgotten. One statement. */
export async function countFailure(tx: Tx, subjects: readonly string[], now: number, eachMs: number): Promise<void> {
  const rows = subjects.map((subject) => ({ subject, expires_ms: now + eachMs }));
  await tx.sql
    .insertInto("sign_in_throttles")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("subject").doUpdateSet({
        expires_ms: sql`case when sign_in_throttles.expires_ms > ${now} then sign_in_throttles.expires_ms else ${now} end + ${eachMs}`,
      }),
    )
    .execute();
}

export async function forgetFailures(tx: Tx, subject: string): Promise<void> {
  await tx.sql.deleteFrom("sign_in_throttles").where("subject", "=", subject).execute();
}

/** Records a network from which an account signed in, and keeps the newest `most`. */
export async function rememberNetwork(tx: Tx, accountId: number, network: string, now: number, most: number): Promise<void> {
  await tx.sql
    .insertInto("sign_in_networks")
    .values({ account_id: accountId, network, seen_ms: now })
    .onConflict((conflict) => conflict.columns(["account_id", "network"]).doUpdateSet({ seen_ms: now }))
    .execute();
  await tx.sql
    .deleteFrom("sign_in_networks")
    .where("account_id", "=", accountId)
    .where("network", "not in", (eb) =>
      eb
        .selectFrom("sign_in_networks as n")
        .select("n.network")
        .where("n.account_id", "=", accountId)
        .orderBy("n.seen_ms", "desc")
        .orderBy("n.network")
        .limit(most),
    )
    .execute();
}

/** Deletes outdated rows. */
export async function pruneSignIns(tx: Tx, times: { readonly now: number; readonly unseenSince: number }): Promise<void> {
  await tx.sql.deleteFrom("sign_in_throttles").where("expires_ms", "<=", times.now).execute();
  await tx.sql.deleteFrom("sign_in_networks").where("seen_ms", "<=", times.unseenSince).execute();
}
