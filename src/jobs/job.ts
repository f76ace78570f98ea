import { sql } from "kysely";
import { compiledRows, type Slots } from "../db/compiled.ts";
import type { Tx } from "../db/db.ts";
import { reviveJob } from "./store.ts";

/** A kind of work that is done later, by whatever process is free. The type parameter is its payload, kept as JSON. */
export interface Job<Payload> {
  readonly kind: string;
  /** Runs that may fail (or take their worker with them) before the job is put aside as failed. */
  readonly maxAttempts: number;
  /** Pause after the first failure; it doubles each time up to {@link maxRetryMs}, and a part of it is chance. */
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
  /** Only for the type. */
  readonly payload?: Payload;
}

export type JobOptions = Partial<Omit<Job<unknown>, "kind" | "payload">>;

const defaults: Required<JobOptions> = { maxAttempts: 8, firstRetryMs: 1_000, maxRetryMs: 3_600_000 };

/** @param kind `area.verb`, unique in the program; waiting jobs of a kind that nobody handles stay where they are */
export const defineJob = <Payload>(kind: string, options: JobOptions = {}): Job<Payload> => ({ kind, ...defaults, ...options });

export interface EnqueueOptions {
  /**
   * At most one job of this kind and key waits, with the newest payload and the earliest time, and at most one runs.
   * One that is enqueued while another runs waits for it: so work that reads the present state is never missed.
   */
  readonly dedupeKey?: string;
  /** Not before this time; left out: as soon as possible. */
  readonly runAtMs?: number;
}

/** No time: due whatever the clock says, also after it was set back. */
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
        // The words of the partial index, literally: that is how the database finds it.
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

/** Adds a job in the transaction that makes it necessary. A worker starts it when that is durable. One statement. */
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

/** A job that had failed for good runs again, in the transaction that asks for it. @returns undefined when there is no such failed job */
export async function retryFailedJob(tx: Tx, id: number): Promise<{ readonly kind: string } | undefined> {
  const revived = await reviveJob(tx, id);
  if (revived !== undefined) tx.announce("jobs", { kind: revived.kind, runAtMs: atOnce } satisfies Announced);
  return revived;
}

/** What wakes the queues that know the kind. */
export interface Announced {
  readonly kind: string;
  readonly runAtMs: number;
}
