import { type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Page, Paged } from "../core/paging.ts";
import { anyOf } from "../db/any-of.ts";
import { compiled, type Slots } from "../db/compiled.ts";
import type { Reader, Tx } from "../db/db.ts";
import type { JobsTable } from "../db/tables/server.ts";
import type { Tables } from "../db/tables.ts";

/** A job leased by this process. */
export interface LeasedJob {
  readonly id: number;
  readonly kind: string;
  readonly payload: string;
  /** Including this run. */
  readonly attempts: number;
  readonly fence: number;
}

/** Proves that a worker still has a job. */
export interface Lease {
  readonly id: number;
  readonly fence: number;
}

export interface Claim {
  readonly kinds: readonly string[];
  /** Jobs running in this process: after a clock jump it must not take them over from itself. */
  readonly heldIds: readonly number[];
  readonly nowMs: number;
  /** Waiting jobs due at this time are claimed. */
  readonly dueMs: number;
  readonly leaseUntilMs: number;
  /** The process that claims them; null: it has no presence. */
  readonly worker: number | null;
  readonly limit: number;
}

// States are literals in all statements, so that the partial indexes are used whatever the parameters are.
const waiting = sql.lit("waiting" as const);
const running = sql.lit("running" as const);
const failed = sql.lit("failed" as const);
/** Whether no other job of the same kind and key has a state. */
const hasNoTwin = (job: "job" | "jobs", state: typeof waiting | typeof running) => sql<SqlBool>`not exists (
  select other.id from jobs as other
  where other.state = ${state} and other.kind = ${sql.ref(`${job}.kind`)} and other.dedupe_key = ${sql.ref(`${job}.dedupe_key`)})`;

const leasedColumns = ["id", "kind", "payload", "attempts", "fence"] as const;

/**
 * Looks for jobs that {@link claimJobs} would find: a read, so that an idle server does not write.
 * @returns whether there are any; otherwise the next time at which a job becomes due or a lease ends, if there is one. One statement
 */
export async function findDue(
  db: Reader,
  { kinds, nowMs, dueMs }: Pick<Claim, "kinds" | "nowMs" | "dueMs">,
): Promise<{ readonly isDue: boolean; readonly nextMs: number | undefined }> {
  const [row] = await selectDue(db, { kinds, nowMs, dueMs });
  return { isDue: row?.due != null, nextMs: earliest(row) };
}

/** The earliest time after now at which a job becomes due or a lease ends. */
export async function nextDueMs(db: Reader, kinds: readonly string[], nowMs: number): Promise<number | undefined> {
  const [row] = await selectNextTimes(db, { kinds, nowMs });
  return earliest(row);
}

type Wanted = { kinds: readonly string[]; nowMs: number };

const selectDue = compiled((db: Reader, given: Slots<Wanted & { dueMs: number }>) =>
  db.sql.selectNoFrom((eb) => [
    eb
      .selectFrom("jobs")
      .select("id")
      .where((e) =>
        e.or([e.and([e("state", "=", waiting), e("run_at_ms", "<=", given.dueMs)]), e.and([e("state", "=", running), e("lease_until_ms", "<=", given.nowMs)])]),
      )
      .where((e) => anyOf(db, e.ref("kind"), given.kinds))
      .limit(1)
      .as("due"),
    ...nextTimes(db, eb, given),
  ]),
);

const selectNextTimes = compiled((db: Reader, given: Slots<Wanted>) => db.sql.selectNoFrom((eb) => nextTimes(db, eb, given)));

const nextTimes = (db: Reader, eb: ExpressionBuilder<Tables, never>, { kinds, nowMs }: Slots<Wanted>) =>
  [
    eb
      .selectFrom("jobs")
      .select((e) => e.fn.min("run_at_ms").as("at"))
      .where("state", "=", waiting)
      .where("run_at_ms", ">", nowMs)
      .where((e) => anyOf(db, e.ref("kind"), kinds))
      .as("waiting"),
    eb
      .selectFrom("jobs")
      .select((e) => e.fn.min("lease_until_ms").as("at"))
      .where("state", "=", running)
      .where("lease_until_ms", ">", nowMs)
      .where((e) => anyOf(db, e.ref("kind"), kinds))
      .as("running"),
  ] as const;

function earliest(row: { readonly waiting: number | null; readonly running: number | null } | undefined): number | undefined {
  const times = [row?.waiting, row?.running].filter((time) => typeof time === "number");
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Claims jobs of silent workers first, then waiting ones by due time. */
export async function claimJobs(tx: Tx, claim: Claim): Promise<LeasedJob[]> {
  const orphans = await lease(
    tx,
    claim,
    tx.sql
      .selectFrom("jobs as job")
      .select("job.id")
      .where("job.state", "=", running)
      .where("job.lease_until_ms", "<=", claim.nowMs)
      .where((eb) => eb.not(anyOf(tx, eb.ref("job.id"), claim.heldIds)))
      .where((eb) => anyOf(tx, eb.ref("job.kind"), claim.kinds))
      .orderBy("job.lease_until_ms")
      .limit(claim.limit)
      .$if(tx.dialect === "postgres", (query) => query.forUpdate().skipLocked()),
  );
  if (orphans.length === claim.limit) return orphans;
  const fresh = await lease(
    tx,
    claim,
    tx.sql
      .selectFrom("jobs as job")
      .select("job.id")
      .where("job.state", "=", waiting)
      .where("job.run_at_ms", "<=", claim.dueMs)
      .where((eb) => anyOf(tx, eb.ref("job.kind"), claim.kinds))
      .where(hasNoTwin("job", running))
      .orderBy("job.run_at_ms")
      .orderBy("job.id")
      .limit(claim.limit - orphans.length)
      .$if(tx.dialect === "postgres", (query) => query.forUpdate().skipLocked()),
  );
  return [...orphans, ...fresh];
}

async function lease(tx: Tx, claim: Claim, ids: SelectQueryBuilder<Tables & { job: JobsTable }, "job", { id: number }>): Promise<LeasedJob[]> {
  const rows = await tx.sql
    .updateTable("jobs")
    .set((eb) => ({ state: "running", fence: eb("fence", "+", 1), attempts: eb("attempts", "+", 1), lease_until_ms: claim.leaseUntilMs, worker: claim.worker }))
    .where("id", "in", ids)
    .returning(leasedColumns)
    .execute();
  return rows.sort((a, b) => a.id - b.id);
}

/** Whether the worker of this lease still has the job. */
export async function holdsLease(tx: Tx, lease: Lease): Promise<boolean> {
  const row = await tx.sql
    .selectFrom("jobs")
    .select("id")
    .where("id", "=", lease.id)
    .where("fence", "=", lease.fence)
    .where("state", "=", running)
    .executeTakeFirst();
  return row !== undefined;
}

/** The number of waiting jobs of some kinds. One statement. */
export async function countWaiting(db: Reader, kinds: readonly string[]): Promise<number> {
  const { total } = await db.sql
    .selectFrom("jobs")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("state", "=", waiting)
    .where((eb) => anyOf(db, eb.ref("kind"), kinds))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** The processes that running jobs name. One statement. */
export async function listWorkers(db: Reader): Promise<readonly number[]> {
  const rows = await db.sql.selectFrom("jobs").select("worker").distinct().where("state", "=", running).where("worker", "is not", null).execute();
  return rows.flatMap(({ worker }) => worker ?? []);
}

/** Releases the running jobs of these processes immediately. @returns their kinds. One statement. */
export async function expireLeases(tx: Tx, workers: readonly number[]): Promise<readonly string[]> {
  const rows = await tx.sql
    .updateTable("jobs")
    .set({ lease_until_ms: 0, worker: null })
    .where("state", "=", running)
    .where((eb) => anyOf(tx, eb.ref("worker").$notNull(), workers))
    .returning("kind")
    .execute();
  return [...new Set(rows.map(({ kind }) => kind))];
}

// The following functions change no rows, and return false, if the lease is not current.

export async function extendLease(tx: Tx, lease: Lease, leaseUntilMs: number): Promise<boolean> {
  const { numUpdatedRows } = await updateLeased(tx, lease).set({ lease_until_ms: leaseUntilMs }).executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Deletes a finished job. */
export async function finishJob(tx: Tx, lease: Lease): Promise<boolean> {
  const { numDeletedRows } = await tx.sql
    .deleteFrom("jobs")
    .where("id", "=", lease.id)
    .where("fence", "=", lease.fence)
    .where("state", "=", running)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export interface Retry {
  readonly attempts: number;
  readonly runAtMs: number;
  readonly error: string | null;
}

/** Makes the job wait again. If one of its kind and key was enqueued meanwhile, this one is deleted instead. */
export async function retryJob(tx: Tx, lease: Lease, retry: Retry): Promise<boolean> {
  const { numUpdatedRows } = await updateLeased(tx, lease)
    .set({ state: "waiting", run_at_ms: retry.runAtMs, attempts: retry.attempts, last_error: retry.error, lease_until_ms: null, worker: null })
    .where(hasNoTwin("jobs", waiting))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n || (await finishJob(tx, lease));
}

/** Marks the job as permanently failed. */
export async function failJob(tx: Tx, lease: Lease, error: string): Promise<boolean> {
  const { numUpdatedRows } = await updateLeased(tx, lease)
    .set({ state: "failed", last_error: error, lease_until_ms: null, worker: null })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

const updateLeased = (tx: Tx, { id, fence }: Lease) => tx.sql.updateTable("jobs").where("id", "=", id).where("fence", "=", fence).where("state", "=", running);

/** Deletes failed jobs created before the given time. @returns the number of deleted jobs */
export async function deleteFailedBefore(tx: Tx, createdBeforeMs: number): Promise<number> {
  const { numDeletedRows } = await tx.sql.deleteFrom("jobs").where("state", "=", "failed").where("created_ms", "<", createdBeforeMs).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export interface JobCounts {
  readonly waiting: number;
  readonly running: number;
  readonly failed: number;
}

export async function countJobs(db: Reader): Promise<JobCounts> {
  const rows = await db.sql
    .selectFrom("jobs")
    .select((eb) => ["state", eb.fn.countAll<number>().as("count")])
    .groupBy("state")
    .execute();
  const counts = { waiting: 0, running: 0, failed: 0 };
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}

/** A job as shown to administrators, without its payload, which can contain a user's secrets. */
export interface JobView {
  readonly id: number;
  readonly kind: string;
  readonly state: "waiting" | "running" | "failed";
  readonly attempts: number;
  /** 0: as soon as possible. */
  readonly runAtMs: number;
  readonly createdMs: number;
  readonly lastError: string | null;
}

/** A page of the jobs of one state: waiting jobs by due time, failed ones newest first. At most two statements. */
export async function pageJobs(db: Reader, state: JobView["state"], page: Page): Promise<Paged<JobView>> {
  const query = db.sql.selectFrom("jobs").where("state", "=", sql.lit(state));
  const ordered = state === "failed" ? query.orderBy("id", "desc") : query.orderBy(state === "waiting" ? "run_at_ms" : "lease_until_ms").orderBy("id");
  const items = await ordered
    .select(["id", "kind", "state", "attempts", "run_at_ms as runAtMs", "created_ms as createdMs", "last_error as lastError"])
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}

/**
 * Makes a failed job wait again, as if it were new; a waiting job of its kind and key replaces it. @returns undefined if there is no failed
 * job with this id
 */
export async function reviveJob(tx: Tx, id: number): Promise<{ readonly kind: string } | undefined> {
  const revived = await tx.sql
    .updateTable("jobs")
    .set({ state: "waiting", run_at_ms: 0, attempts: 0, lease_until_ms: null })
    .where("id", "=", id)
    .where("state", "=", failed)
    .where(hasNoTwin("jobs", waiting))
    .returning("kind")
    .executeTakeFirst();
  return revived ?? deleteFailedJob(tx, id);
}

/** @returns undefined if there is no failed job with this id */
export const deleteFailedJob = (tx: Tx, id: number): Promise<{ readonly kind: string } | undefined> =>
  tx.sql.deleteFrom("jobs").where("id", "=", id).where("state", "=", failed).returning("kind").executeTakeFirst();

/** Registers schedules. Moves a next slot that is too far away: its interval was longer, or the clock ran ahead. */
export async function upsertSchedules(tx: Tx, schedules: readonly { readonly name: string; readonly nextRunMs: number }[]): Promise<void> {
  await tx.sql
    .insertInto("schedules")
    .values(schedules.map(({ name, nextRunMs }) => ({ name, next_run_ms: nextRunMs, last_run_ms: null })))
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet((eb) => ({ next_run_ms: eb.ref("excluded.next_run_ms") }))
        .whereRef("schedules.next_run_ms", ">", "excluded.next_run_ms"),
    )
    .execute();
}

export interface ScheduleRow {
  readonly name: string;
  readonly nextRunMs: number;
  /** Null: it has not run yet. */
  readonly lastRunMs: number | null;
  readonly runs: number;
}

/** Schedules by name; all of them in order if no names are given. */
export async function listSchedules(db: Reader, names?: readonly string[]): Promise<ScheduleRow[]> {
  let query = db.sql.selectFrom("schedules").select(["name", "next_run_ms as nextRunMs", "last_run_ms as lastRunMs", "runs"]);
  if (names !== undefined) query = query.where((eb) => anyOf(db, eb.ref("name"), names));
  return query.orderBy("name").execute();
}

/** Claims the due slot. @returns false if another process claimed it */
export async function takeSlot(tx: Tx, slot: { name: string; nowMs: number; nextRunMs: number }): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("schedules")
    .set((eb) => ({ next_run_ms: slot.nextRunMs, last_run_ms: slot.nowMs, runs: eb("runs", "+", 1) }))
    .where("name", "=", slot.name)
    .where("next_run_ms", "<=", slot.nowMs)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Counts a run outside the slots. @returns false if there is no such schedule */
export async function countRun(tx: Tx, name: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("schedules")
    .set((eb) => ({ last_run_ms: tx.nowMs, runs: eb("runs", "+", 1) }))
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
