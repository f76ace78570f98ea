import { Worker } from "node:worker_threads";
import { entryFile } from "../../../core/entry-file.ts";
import type { Log } from "../../../core/log.ts";
import { type Job, type ResultOf, toMs, type WorkerMessage } from "./jobs.ts";

export interface PoolOptions {
  /** Maximum number of workers; they start on demand. */
  readonly size: number;
  /** CPU time limit of a job. Exceeding it terminates the worker. On a busy machine the job may take longer in real time, within limits. */
  readonly timeoutMs: number;
  /** Maximum real time of a job as a multiple of its CPU limit. Beyond it the result is `unavailable`, because the machine is at fault. */
  readonly patience: number;
  /** Idle time after which a worker stops. */
  readonly idleMs: number;
  /** Maximum number of waiting jobs. */
  readonly maxWaiting: number;
}

/** `given up`: the job exceeded its limit and would do so again. `unavailable`: the job was not at fault. */
export type Outcome<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "given up" | "unavailable"; readonly reason: string };

export const defaultPoolOptions: PoolOptions = { size: 2, timeoutMs: 700, patience: 15, idleMs: 60_000, maxWaiting: 200 };

/** Threads that run jobs of one kind of worker. */
export interface Pool<in J> {
  /** Never rejects. The caller knows the type of the result. */
  run(job: J): Promise<Outcome<unknown>>;
  /** Number of jobs that a worker has started. */
  readonly counters: { readonly jobs: number };
  close(): Promise<void>;
}

export interface WorkerPool extends Pool<Job> {
  run<J extends Job>(job: J): Promise<Outcome<ResultOf<J>>>;
}

interface Task {
  readonly job: unknown;
  readonly settle: (outcome: Outcome<unknown>) => void;
}

interface Slot {
  readonly worker: Worker;
  isReady: boolean;
  task: Task | undefined;
  timer: NodeJS.Timeout | undefined;
  /** CPU time of the worker at its last message. */
  usedMs: number;
}

/** Loading its modules takes a worker a fraction of this. */
const startTimeoutMs = 20_000;
/** How long a worker may take to report its CPU time. */
const answerMs = 200;
const limits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** The workers that parse and render texts. */
export const createWorkerPool = (deps: { readonly log: Log }, given: Partial<PoolOptions> = {}): WorkerPool =>
  createPool<Job>(deps, entryFile(import.meta.url, { source: "worker.ts", bundled: "markup-worker.js" }), given) as WorkerPool;

/** Runs jobs on worker threads, one at a time per worker, in order of arrival. @param file entry point of the worker */
export function createPool<J>(deps: { readonly log: Log }, file: URL, given: Partial<PoolOptions> = {}): Pool<J> {
  const options = { ...defaultPoolOptions, ...given };
  const counters = { jobs: 0 };
  const slots = new Set<Slot>();
  const waiting: Task[] = [];
  let isClosed = false;

  function start(): Slot {
    // Workers process untrusted texts and do not need the process's environment.
    const worker = new Worker(file, {
      env: {},
      execArgv: [],
      resourceLimits: limits,
    });
    const slot: Slot = { worker, isReady: false, task: undefined, timer: undefined, usedMs: 0 };
    slots.add(slot);
    worker.on("message", (message: WorkerMessage) => receive(slot, message));
    worker.on("error", (error: unknown) => {
      deps.log.warn({ err: error }, "a worker thread failed");
      retire(slot, { kind: slot.isReady ? "given up" : "unavailable", reason: error instanceof Error ? error.message : String(error) });
    });
    worker.on("exit", () => retire(slot, { kind: "unavailable", reason: "the worker ended" }));
    arm(slot, startTimeoutMs, () => retire(slot, { kind: "unavailable", reason: "the worker did not start" }));
    return slot;
  }

  function arm(slot: Slot, ms: number, then: () => void): void {
    clearTimeout(slot.timer);
    slot.timer = setTimeout(then, ms);
    slot.timer.unref();
  }

  function receive(slot: Slot, message: WorkerMessage): void {
    slot.usedMs = message.cpuMs;
    if (message.kind === "ready") {
      slot.isReady = true;
      begin(slot);
      return;
    }
    const { task } = slot;
    slot.task = undefined;
    task?.settle(message.kind === "done" ? { kind: "done", value: message.result } : { kind: "given up", reason: message.message });
    assign(slot);
  }

  /** Assigns the next job to a free worker, or lets it wait. */
  function assign(slot: Slot): void {
    slot.task = waiting.shift();
    if (slot.task !== undefined) {
      slot.worker.ref();
      begin(slot);
      return;
    }
    slot.worker.unref();
    arm(slot, options.idleMs, () => retire(slot, { kind: "unavailable", reason: "the worker was idle" }));
  }

  function begin(slot: Slot): void {
    if (!slot.isReady || slot.task === undefined) return;
    const { timeoutMs, patience } = options;
    watch(slot, slot.task, performance.now() + timeoutMs * patience);
    counters.jobs += 1;
    slot.worker.postMessage(slot.task.job);
  }

  /** Terminates a job that has used its CPU time. A job that had to share the processor gets the rest of its time. */
  function watch(slot: Slot, task: Task, untilMs: number): void {
    const { timeoutMs } = options;
    const othersMs = slot.usedMs;
    const before = cpuBesidesThisThread();
    const check = (): void => {
      void usedBy(slot.worker).then((now) => {
        if (slot.task !== task) return;
        // A thread that does not respond is in native code or does not run. It has used no more than all threads together.
        const left = timeoutMs - (now === undefined ? cpuBesidesThisThread() - before : now - othersMs);
        if (left <= 0) retire(slot, { kind: "given up", reason: `it took longer than ${timeoutMs} ms` });
        else if (performance.now() >= untilMs) retire(slot, { kind: "unavailable", reason: "the machine is too busy" });
        else arm(slot, Math.max(left, 10), check);
      });
    };
    arm(slot, timeoutMs, check);
  }

  function retire(slot: Slot, outcome: Outcome<never>): void {
    if (!slots.delete(slot)) return;
    clearTimeout(slot.timer);
    slot.task?.settle(outcome);
    void slot.worker.terminate();
    if (waiting.length > 0 && !isClosed) assign(start());
  }

  return {
    counters,
    run: (job) =>
      new Promise<Outcome<unknown>>((resolve) => {
        const settle: Task["settle"] = resolve;
        if (isClosed || waiting.length >= options.maxWaiting) return settle({ kind: "unavailable", reason: isClosed ? "closed" : "too many jobs wait" });
        waiting.push({ job, settle });
        const free = [...slots].find(({ task }) => task === undefined);
        if (free !== undefined) assign(free);
        else if (slots.size < options.size) assign(start());
      }),
    close: async () => {
      isClosed = true;
      for (const task of waiting.splice(0)) task.settle({ kind: "unavailable", reason: "closed" });
      await Promise.all(
        [...slots].map(async (slot) => {
          retire(slot, { kind: "unavailable", reason: "closed" });
          await slot.worker.terminate();
        }),
      );
    },
  };
}

/** CPU time of this process without the calling thread, ms. */
const cpuBesidesThisThread = (): number => toMs(process.cpuUsage()) - toMs(process.threadCpuUsage());

/** @returns undefined if the worker does not respond */
async function usedBy(worker: Worker): Promise<number | undefined> {
  const silence = new Promise<undefined>((resolve) => setTimeout(resolve, answerMs, undefined).unref());
  const usage = await Promise.race([worker.cpuUsage().catch(() => undefined), silence]);
  return usage === undefined ? undefined : toMs(usage);
}
