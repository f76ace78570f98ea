import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Db, Tx } from "../db/db.ts";
import type { Announced, Job } from "./job.ts";
import { enqueueDueSlots, registerSchedules, type Schedule, scheduledJob } from "./schedule.ts";
import { claimJobs, extendLease, failJob, finishJob, hasDueJobs, holdsLease, type LeasedJob, nextDueMs, retryJob } from "./store.ts";
import type { Workers } from "./workers.ts";

export interface JobQueueDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

export interface JobQueueOptions {
  /** Jobs that run at once in this process. */
  readonly concurrency?: number;
  /** A worker that is silent for so long is taken for dead. A living one keeps its jobs however long they take. */
  readonly leaseMs?: number;
  /** Lets other processes see which jobs this one runs, and take them over as soon as it has ended. Left out: they wait until the lease ends. */
  readonly workers?: Workers;
}

/** One run of a job. */
export interface JobRun<Payload> {
  readonly payload: Payload;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborted when the queue stops or another worker has taken the job over: end soon. */
  readonly signal: AbortSignal;
  /**
   * A transaction that is refused when another worker has taken the job over meanwhile. What a job writes, it writes through this.
   * @throws LeaseLostError
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** May run again after it was done (the process ended before that was written down), so it leads to the same state each time. */
export type JobHandler<Payload> = (run: JobRun<Payload>) => Promise<void>;

/** The workers of this process. Several processes share the jobs of one database. */
export interface JobQueue {
  handle<Payload>(job: Job<Payload>, handler: JobHandler<Payload>): void;
  /** Runs a handler in each slot of a schedule, once among all processes; slots that were missed run once, late. */
  schedule(schedule: Schedule, handler: JobHandler<null>): void;
  /** What {@link schedule} was told. */
  readonly schedules: readonly Schedule[];
  /** What this process has done since it began: runs of jobs that ended well, runs that did not, and those that go on. */
  readonly counters: Readonly<JobCounters>;
  /** Starts to work. Called once, after all {@link handle} and {@link schedule}. */
  start(): Promise<void>;
  /** Works until nothing is due at this moment, or will be in `aheadMs` from now, started or not. For tests and for tools. */
  runDue(aheadMs?: number): Promise<void>;
  /** Takes no more, tells the running jobs to end, and waits for them. */
  stop(): Promise<void>;
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
/** Other processes add jobs and end without a word: nothing wakes this one, so it looks from time to time. */
const pollMs = 30_000;
const maxErrorLength = 2_000;

interface Running {
  readonly kind: string;
  readonly done: Promise<void>;
  /** Aborted when another worker has taken the job over, or may do so. */
  readonly lost: AbortController;
}

interface Handled {
  readonly job: Job<unknown>;
  readonly handler: JobHandler<unknown>;
}

export function createJobQueue(deps: JobQueueDeps, options: JobQueueOptions = {}): JobQueue {
  const { db, clock, log } = deps;
  const { concurrency = defaultConcurrency, leaseMs = defaultLeaseMs, workers } = options;
  const handled = new Map<string, Handled>();
  const schedules: Schedule[] = [];
  const running = new Map<number, Running>();
  const counted = { done: 0, failed: 0 };
  const stopping = new AbortController();
  let isStarted = false;
  /** The round that looks for work; one at a time. */
  let round: Promise<void> | undefined;
  let isWoken = false;
  let timer: NodeJS.Timeout | undefined;
  /** When the timer looks again. */
  let nextLookMs = 0;
  /** The next slot of a schedule, as far as this process knows. */
  let nextSlotMs = 0;
  /** Jobs are taken so long before their time. */
  let aheadMs = 0;
  let unlisten: (() => void) | undefined;

  const wake = (): void => {
    isWoken = true;
    if (isStarted) void lookNow();
  };

  /** A job for later wakes nobody: the timer comes in time, or is set to. */
  const hearOf = (runAtMs: number): void => {
    const nowMs = clock.now();
    if (runAtMs <= nowMs) wake();
    else if (round !== undefined) isWoken = true;
    else if (runAtMs < nextLookMs) lookAt(runAtMs, nowMs);
  };

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

  /** Starts what is due until nothing is, then sets the timer for what comes next. */
  const look = async (): Promise<void> => {
    clearTimeout(timer);
    let nextMs = Number.POSITIVE_INFINITY;
    try {
      do {
        isWoken = false;
        // Another process may have pulled a slot near: that is found with the next poll.
        if (clock.now() >= Math.min(nextSlotMs, nextLookMs)) nextSlotMs = (await enqueueDueSlots(deps, schedules)) ?? Number.POSITIVE_INFINITY;
        // One moment for both questions: what becomes due in between is not missed.
        const nowMs = clock.now();
        await startDue(nowMs);
        nextMs = Math.min(nextSlotMs, (await nextDueMs(db, [...handled.keys()], nowMs)) ?? Number.POSITIVE_INFINITY);
      } while (isWoken && !stopping.signal.aborted);
    } catch (error) {
      log.warn({ err: error }, "jobs could not be looked up; tried again");
    }
    if (!isStarted || stopping.signal.aborted) return;
    const nowMs = clock.now();
    lookAt(Math.min(nextMs, nowMs + pollMs), nowMs);
  };

  const startDue = async (nowMs: number): Promise<void> => {
    const limit = concurrency - running.size;
    const worker = workers === undefined ? null : workers.present();
    // The other processes cannot see this one and would take over what it starts.
    if (worker === undefined) return;
    const claim = { kinds: [...handled.keys()], heldIds: [...running.keys()], nowMs, dueMs: nowMs + aheadMs, leaseUntilMs: nowMs + leaseMs, worker, limit };
    if (limit <= 0 || stopping.signal.aborted || !(await hasDueJobs(db, claim))) return;
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
  };

  /** Other processes may take over the jobs that run here. */
  const loseAll = (): void => {
    for (const { kind, lost } of running.values()) lost.abort(new LeaseLostError(kind));
  };

  const runsEnded = (): Promise<unknown> => Promise.all(Array.from(running.values(), ({ done }) => done));

  /** Never rejects: what fails is written into the row, and if that fails too, the lease runs out. */
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
      log.error({ err: error, job: leased.id, kind: leased.kind }, "the outcome of a job could not be written; it runs again when its lease ends");
    } finally {
      clearInterval(heartbeat);
    }
  };

  const attempt = async ({ job, handler }: Handled, leased: LeasedJob, lost: AbortSignal): Promise<void> => {
    const meta = { job: leased.id, kind: leased.kind, attempt: leased.attempts };
    // Counted when it is claimed: a job that takes its worker down with it is put aside too.
    if (leased.attempts > job.maxAttempts) {
      log.error(meta, "a job was put aside: its worker ended each time");
      await db.tx((tx) => failJob(tx, leased, "the worker ended each time"));
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
    if (!(await db.tx((handle) => finishJob(handle, leased)))) log.warn(meta, "a job was done here while another worker had taken it over");
  };

  const recordFailure = async (job: Job<unknown>, leased: LeasedJob, error: unknown): Promise<void> => {
    const meta = { err: error, job: leased.id, kind: leased.kind, attempt: leased.attempts };
    const text = (error instanceof Error ? error.message : String(error)).replaceAll("\0", "").slice(0, maxErrorLength);
    if (error instanceof LeaseLostError) {
      log.warn(meta, "a job was taken over by another worker");
    } else if (stopping.signal.aborted) {
      // Interrupted, not failed: this run does not count.
      await db.tx((tx) => retryJob(tx, leased, { attempts: leased.attempts - 1, runAtMs: 0, error: null }));
    } else if (leased.attempts >= job.maxAttempts) {
      log.error(meta, "a job failed for the last time and was put aside");
      await db.tx((tx) => failJob(tx, leased, text));
    } else {
      const runAtMs = clock.now() + retryDelayMs(job, leased.attempts);
      log.warn({ ...meta, runAtMs }, "a job failed; it runs again");
      await db.tx((tx) => retryJob(tx, leased, { attempts: leased.attempts, runAtMs, error: text }));
    }
  };

  return {
    handle(job, handler) {
      if (handled.has(job.kind)) throw new Error(`two handlers for the job ${job.kind}`);
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
      const unlistenJobs = db.listen("jobs", (value) => {
        const { kind, runAtMs } = value as Announced;
        if (handled.has(kind)) hearOf(runAtMs);
      });
      unlisten = () => {
        unlistenWorkers?.();
        unlistenJobs();
      };
      isStarted = true;
      wake();
    },
    async runDue(ahead = 0) {
      if (!isStarted) await registerSchedules(deps, schedules);
      // A round that has begun looks at an earlier moment.
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

/** Doubles with each attempt; between half of it and all of it, so that what failed together does not come back together. */
function retryDelayMs(job: Job<unknown>, attempts: number): number {
  const full = Math.min(job.firstRetryMs * 2 ** (attempts - 1), job.maxRetryMs);
  return Math.round(full * (0.5 + Math.random() / 2));
}
