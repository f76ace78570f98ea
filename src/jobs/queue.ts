import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Db, Tx } from "../db/db.ts";
import type { Announced, Job } from "./job.ts";
import { enqueueDueSlots, registerSchedules, type Schedule, scheduledJob } from "./schedule.ts";
import { claimJobs, extendLease, failJob, findDue, finishJob, holdsLease, type LeasedJob, nextDueMs, retryJob } from "./store.ts";
import type { Workers } from "./workers.ts";

export interface JobQueueDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

export interface JobQueueOptions {
  /** Runs in the transaction that marks a job as failed. */
  readonly onFailure?: (tx: Tx, failed: FailedJob) => Promise<void>;
  /** Maximum number of concurrent jobs in this process. */
  readonly concurrency?: number;
  /** A worker that is silent for this long counts as dead. A living worker keeps its jobs, however long they take. */
  readonly leaseMs?: number;
  /**
   * Shows other processes which jobs this one runs, so that they can take them over as soon as it ends. Absent: they wait until the lease
   * ends.
   */
  readonly workers?: Workers;
}

export interface JobRun<Payload> {
  readonly payload: Payload;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborted when the queue stops or another worker has taken the job over: the handler should end soon. */
  readonly signal: AbortSignal;
  /**
   * A transaction that fails if another worker has taken the job over meanwhile. All writes of a job must go through it.
   * @throws LeaseLostError
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** May run again after it has succeeded (if the process ended before that was recorded), so it must be idempotent. */
export type JobHandler<Payload> = (run: JobRun<Payload>) => Promise<void>;

/** The workers of this process. Several processes can share the jobs of one database. */
export interface JobQueue {
  handle<Payload>(job: Job<Payload>, handler: JobHandler<Payload>): void;
  /** Runs a handler in each slot of a schedule, once among all processes; missed slots run once, late. */
  schedule(schedule: Schedule, handler: JobHandler<null>): void;
  /** Schedules registered with {@link schedule}. */
  readonly schedules: readonly Schedule[];
  /** Counters of this process since its start: successful, failed and running jobs. */
  readonly counters: Readonly<JobCounters>;
  /** Starts working. Call once, after all {@link handle} and {@link schedule}. */
  start(): Promise<void>;
  /** Works until no job is due now or within `aheadMs`, whether started or not. For tests and tools. */
  runDue(aheadMs?: number): Promise<void>;
  /** Takes no new jobs, aborts the running ones, and waits for them. */
  stop(): Promise<void>;
}

/** A job that has failed for the last time. */
export interface FailedJob {
  readonly id: number;
  readonly kind: string;
  readonly error: string;
}

export interface JobCounters {
  done: number;
  failed: number;
  running: number;
}

export class LeaseLostError extends Error {
  constructor(kind: string) {
    super(`another worker has taken over this ${kind} job`);
    this.name = "LeaseLostError";
  }
}

const defaultConcurrency = 4;
const defaultLeaseMs = 60_000;
/** Other processes can add jobs and then end without a notification, so the queue also polls. */
const pollMs = 30_000;
const maxErrorLength = 2_000;

interface Running {
  readonly kind: string;
  readonly done: Promise<void>;
  /** Aborted if another worker has taken the job over, or may do so. */
  readonly lost: AbortController;
}

interface Handled {
  readonly job: Job<unknown>;
  readonly handler: JobHandler<unknown>;
}

export function createJobQueue(deps: JobQueueDeps, options: JobQueueOptions = {}): JobQueue {
  const { db, clock, log } = deps;
  const { concurrency = defaultConcurrency, leaseMs = defaultLeaseMs, workers, onFailure } = options;
  const handled = new Map<string, Handled>();
  const schedules: Schedule[] = [];
  const running = new Map<number, Running>();
  const counted = { done: 0, failed: 0 };
  const stopping = new AbortController();
  let isStarted = false;
  /** The running search for work; one at a time. */
  let round: Promise<void> | undefined;
  let isWoken = false;
  let timer: NodeJS.Timeout | undefined;
  /** Time of the next poll. */
  let nextLookMs = 0;
  /** The next slot of a schedule known to this process. */
  let nextSlotMs = 0;
  /** How long before their time jobs are taken. */
  let aheadMs = 0;
  let unlisten: (() => void) | undefined;

  const wake = (): void => {
    isWoken = true;
    if (isStarted) void lookNow();
  };

  /** A future job only moves the timer, if necessary. A due one that this process cannot start is offered to the others. */
  const hearOf = ({ kind, runAtMs, isOffered = false }: Announced): void => {
    const nowMs = clock.now();
    if (runAtMs <= nowMs && running.size >= concurrency && !isOffered) offer(kind);
    if (runAtMs <= nowMs) wake();
    else if (round !== undefined) isWoken = true;
    else if (runAtMs < nextLookMs) lookAt(runAtMs, nowMs);
  };

  const offer = (kind: string): void => db.notifyOthers("jobs", { kind, runAtMs: 0, isOffered: true } satisfies Announced);

  const lookAt = (atMs: number, nowMs: number): void => {
    clearTimeout(timer);
    nextLookMs = atMs;
    timer = setTimeout(wake, Math.max(atMs - nowMs, 1));
    timer.unref();
  };

  const lookNow = (): Promise<void> => {
    if (stopping.signal.aborted) return Promise.resolve();
    round ??= look().finally(() => {
      round = undefined;
      if (isWoken) wake();
    });
    return round;
  };

  /** Starts all due jobs, then sets the timer for the next one. */
  const look = async (): Promise<void> => {
    clearTimeout(timer);
    let nextMs = Number.POSITIVE_INFINITY;
    try {
      do {
        isWoken = false;
        // Another process may have moved a slot closer: the next poll finds it.
        if (clock.now() >= Math.min(nextSlotMs, nextLookMs)) nextSlotMs = (await enqueueDueSlots(deps, schedules)) ?? Number.POSITIVE_INFINITY;
        // One point in time for both queries, so that a job that becomes due in between is not missed.
        const nowMs = clock.now();
        const idle = await startDue(nowMs);
        const dueMs = idle === undefined ? await nextDueMs(db, [...handled.keys()], nowMs) : idle.nextMs;
        nextMs = Math.min(nextSlotMs, dueMs ?? Number.POSITIVE_INFINITY);
      } while (isWoken && !stopping.signal.aborted);
    } catch (error) {
      log.warn({ err: error }, "failed to look up jobs; retrying");
    }
    if (!isStarted || stopping.signal.aborted) return;
    const nowMs = clock.now();
    lookAt(Math.min(nextMs, nowMs + pollMs), nowMs);
  };

  /** @returns when the next job is due, if none is due now */
  const startDue = async (nowMs: number): Promise<{ readonly nextMs: number | undefined } | undefined> => {
    const limit = concurrency - running.size;
    const worker = workers === undefined ? null : workers.present();
    // Other processes cannot see this one and would take over the jobs that it starts.
    if (worker === undefined) return undefined;
    const claim = { kinds: [...handled.keys()], heldIds: [...running.keys()], nowMs, dueMs: nowMs + aheadMs, leaseUntilMs: nowMs + leaseMs, worker, limit };
    if (limit <= 0 || stopping.signal.aborted) return undefined;
    const found = await findDue(db, claim);
    if (!found.isDue) return found;
    const jobs = await db.tx((tx) => claimJobs(tx, claim));
    for (const job of jobs) {
      const lost = new AbortController();
      const done = run(job, lost).finally(() => {
        running.delete(job.id);
        wake();
      });
      running.set(job.id, { kind: job.kind, done, lost });
    }
    if (workers !== undefined && workers.present() !== worker) loseAll();
    return undefined;
  };

  /** Other processes may take over the jobs running here. */
  const loseAll = (): void => {
    for (const { kind, lost } of running.values()) lost.abort(new LeaseLostError(kind));
  };

  const runsEnded = (): Promise<unknown> => Promise.all(Array.from(running.values(), ({ done }) => done));

  /** Never rejects: failures are stored in the row, and if that fails too, the lease expires. */
  const run = async (leased: LeasedJob, lost: AbortController): Promise<void> => {
    const known = handled.get(leased.kind);
    if (known === undefined) throw new Error(`the job ${leased.kind} was claimed without a handler`);
    const heartbeat = setInterval(() => {
      db.tx((tx) => extendLease(tx, leased, clock.now() + leaseMs)).then(
        (isHeld) => isHeld || lost.abort(new LeaseLostError(leased.kind)),
        (error: unknown) => log.warn({ err: error, job: leased.id, kind: leased.kind }, "the lease of a job could not be extended"),
      );
    }, leaseMs / 3);
    heartbeat.unref();
    try {
      await attempt(known, leased, lost.signal);
    } catch (error) {
      log.error({ err: error, job: leased.id, kind: leased.kind }, "failed to store the result of a job; it runs again when its lease ends");
    } finally {
      clearInterval(heartbeat);
    }
  };

  const attempt = async ({ job, handler }: Handled, leased: LeasedJob, lost: AbortSignal): Promise<void> => {
    const meta = { job: leased.id, kind: leased.kind, attempt: leased.attempts };
    // Counted at the claim, so that a job that crashes its worker is marked as failed too.
    if (leased.attempts > job.maxAttempts) {
      log.error(meta, "a job was marked as failed: its worker crashed each time");
      await markFailed(leased, "the worker crashed each time");
      return;
    }
    const tx: JobRun<unknown>["tx"] = (work) =>
      db.tx(async (handle) => {
        if (lost.aborted || !(await holdsLease(handle, leased))) throw new LeaseLostError(leased.kind);
        return work(handle);
      });
    try {
      await handler({ payload: JSON.parse(leased.payload), attempt: leased.attempts, signal: AbortSignal.any([stopping.signal, lost]), tx });
    } catch (error) {
      counted.failed += 1;
      await recordFailure(job, leased, lost.aborted ? lost.reason : error);
      return;
    }
    counted.done += 1;
    if (!(await db.tx((handle) => finishJob(handle, leased)))) log.warn(meta, "a job finished here after another worker had taken it over");
  };

  const markFailed = (leased: LeasedJob, error: string): Promise<void> =>
    db.tx(async (tx) => {
      if (await failJob(tx, leased, error)) await onFailure?.(tx, { id: leased.id, kind: leased.kind, error });
    });

  const recordFailure = async (job: Job<unknown>, leased: LeasedJob, error: unknown): Promise<void> => {
    const meta = { err: error, job: leased.id, kind: leased.kind, attempt: leased.attempts };
    const text = (error instanceof Error ? error.message : String(error)).replaceAll("\0", "").slice(0, maxErrorLength);
    if (error instanceof LeaseLostError) {
      log.warn(meta, "a job was taken over by another worker");
    } else if (stopping.signal.aborted) {
      // Interrupted, not failed: this run does not count.
      await db.tx((tx) => retryJob(tx, leased, { attempts: leased.attempts - 1, runAtMs: 0, error: null }));
      offer(leased.kind);
    } else if (leased.attempts >= job.maxAttempts) {
      log.error(meta, "a job failed for the last time");
      await markFailed(leased, text);
    } else {
      const runAtMs = clock.now() + retryDelayMs(job, leased.attempts);
      log.warn({ ...meta, runAtMs }, "a job failed; it runs again");
      await db.tx((tx) => retryJob(tx, leased, { attempts: leased.attempts, runAtMs, error: text }));
    }
  };

  return {
    handle(job, handler) {
      if (handled.has(job.kind)) throw new Error(`duplicate handler for the job ${job.kind}`);
      handled.set(job.kind, { job, handler: handler as JobHandler<unknown> });
    },
    schedules,
    get counters() {
      return { ...counted, running: running.size };
    },
    schedule(schedule, handler) {
      this.handle(scheduledJob(schedule), handler);
      schedules.push(schedule);
    },
    async start() {
      await registerSchedules(deps, schedules);
      const unlistenWorkers = workers?.onChange((isPresent) => (isPresent ? wake() : loseAll()));
      const unlistenEnds = workers?.onEnded(wake);
      const unlistenJobs = db.listen("jobs", (value) => {
        const announced = value as Announced;
        if (handled.has(announced.kind)) hearOf(announced);
      });
      unlisten = () => {
        unlistenWorkers?.();
        unlistenEnds?.();
        unlistenJobs();
      };
      isStarted = true;
      wake();
    },
    async runDue(ahead = 0) {
      if (!isStarted) await registerSchedules(deps, schedules);
      // A running search uses an earlier time.
      await round;
      aheadMs = ahead;
      nextLookMs = 0;
      try {
        for (;;) {
          await lookNow();
          if (running.size === 0) return;
          await runsEnded();
        }
      } finally {
        aheadMs = 0;
      }
    },
    async stop() {
      unlisten?.();
      stopping.abort(new Error("the server stops"));
      clearTimeout(timer);
      await round;
      await runsEnded();
    },
  };
}

/** Doubles with each attempt, with jitter between half and all of it, so that jobs that failed together do not return together. */
function retryDelayMs(job: Job<unknown>, attempts: number): number {
  const full = Math.min(job.firstRetryMs * 2 ** (attempts - 1), job.maxRetryMs);
  return Math.round(full * (0.5 + Math.random() / 2));
}
