import { sql } from "kysely";
import { compiledRows, type Slots } from "../db/compiled.ts";
import type { Tx } from "../db/db.ts";
import { reviveJob } from "./store.ts";

/** A kind of deferred work, run by any free process. The type parameter is its payload, stored as JSON. */
export interface Job<Payload> {
  readonly kind: string;
  /** Number of runs that may fail (or crash their worker) before the job is marked as failed. */
  readonly maxAttempts: number;
  /** Pause after the first failure; it doubles each time up to {@link maxRetryMs}, with random jitter. */
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
  /** Exists only in the type. */
  readonly payload?: Payload;
}

export type JobOptions = Partial<Omit<Job<unknown>, "kind" | "payload">>;

const defaults: Required<JobOptions> = { maxAttempts: 8, firstRetryMs: 1_000, maxRetryMs: 3_600_000 };

/** @param kind `area.verb`, unique in the program; waiting jobs of a kind without a handler are left alone */
export const defineJob = <Payload>(kind: string, options: JobOptions = {}): Job<Payload> => ({ kind, ...defaults, ...options });

export interface EnqueueOptions {
  /**
   * At most one job of this kind and key is waiting, with the newest payload and the earliest time, and at most one is running.
   * A job enqueued while another one runs waits for it, so work that reads the current state is never missed.
   */
  readonly dedupeKey?: string;
  /** Earliest start; absent: as soon as possible. */
  readonly runAtMs?: number;
}

/** Due whatever the clock says, even after it was set back. */
const atOnce = 0;

type JobRow = {
  readonly kind: string;
  readonly payload: string;
  readonly dedupeKey: string | null;
  readonly runAtMs: number;
  readonly nowMs: number;
};

const insertRows = compiledRows((tx, rows: readonly Slots<JobRow>[]) =>
  tx.sql
    .insertInto("jobs")
    .values(
      rows.map((row) => ({
        kind: row.kind,
        payload: row.payload,
        dedupe_key: row.dedupeKey,
        state: "waiting" as const,
        run_at_ms: row.runAtMs,
        lease_until_ms: null,
        last_error: null,
        created_ms: row.nowMs,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "dedupe_key"])
        // Must match the condition of the partial index literally, so that the database uses it.
        .where((eb) => eb.and([eb("state", "=", sql.lit("waiting")), eb("dedupe_key", "is not", null)]))
        .doUpdateSet((eb) => ({
          payload: eb.ref("excluded.payload"),
          run_at_ms: eb
            .case()
            .when("jobs.run_at_ms", "<", eb.ref("excluded.run_at_ms"))
            .then(eb.ref("jobs.run_at_ms"))
            .else(eb.ref("excluded.run_at_ms"))
            .end(),
        })),
    ),
);

/** Adds a job in the transaction that requires it. A worker starts it after the commit. One statement. */
export const enqueue = <Payload>(tx: Tx, job: Job<Payload>, payload: Payload, options: EnqueueOptions = {}): Promise<void> =>
  enqueueAll(tx, job, [{ payload, ...options }]);

/** Adds several jobs of one kind, with different keys. One statement. */
export async function enqueueAll<Payload>(tx: Tx, job: Job<Payload>, all: readonly (EnqueueOptions & { readonly payload: Payload })[]): Promise<void> {
  if (all.length === 0) return;
  await insertRows(
    tx,
    all.map(({ payload, dedupeKey = null, runAtMs = atOnce }) => ({ kind: job.kind, payload: JSON.stringify(payload), dedupeKey, runAtMs, nowMs: tx.nowMs })),
  );
  const runAtMs = Math.min(...all.map((one) => one.runAtMs ?? atOnce));
  tx.announce("jobs", { kind: job.kind, runAtMs } satisfies Announced);
}

/** Retries a permanently failed job, in the caller's transaction. @returns undefined if there is no failed job with this id */
export async function retryFailedJob(tx: Tx, id: number): Promise<{ readonly kind: string } | undefined> {
  const revived = await reviveJob(tx, id);
  if (revived !== undefined) tx.announce("jobs", { kind: revived.kind, runAtMs: atOnce } satisfies Announced);
  return revived;
}

/** Wakes the queues that handle the kind. */
export interface Announced {
  readonly kind: string;
  readonly runAtMs: number;
  /** Another process cannot start it, because it is busy or stops. */
  readonly isOffered?: boolean;
}
