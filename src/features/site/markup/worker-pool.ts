import { Worker } from "node:worker_threads";
import type { Log } from "../../../core/log.ts";
import { type Job, type ResultOf, toMs, type WorkerMessage } from "./jobs.ts";

export interface PoolOptions {
  /** Workers at most; they start when they are needed. */
  readonly size: number;
  /** A job that takes more CPU time is given up, and its worker with it. On a busy machine it may last longer, within bounds. */
  readonly timeoutMs: number;
  /** A worker without a job ends after this. */
  readonly idleMs: number;
  /** Jobs that wait at most. */
  readonly maxWaiting: number;
}

/** `given up` is the job's own fault, and a repeat would end alike; `unavailable` is not. */
export type Outcome<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "given up" | "unavailable"; readonly reason: string };

export const defaultPoolOptions: PoolOptions = { size: 2, timeoutMs: 700, idleMs: 60_000, maxWaiting: 200 };

export interface WorkerPool {
  /** Never rejects. */
  run<J extends Job>(job: J): Promise<Outcome<ResultOf<J>>>;
  /** Jobs that a worker has begun. */
  readonly counters: { readonly jobs: number };
  close(): Promise<void>;
}

interface Task {
  readonly job: Job;
  readonly settle: (outcome: Outcome<unknown>) => void;
}

interface Slot {
  readonly worker: Worker;
  isReady: boolean;
  task: Task | undefined;
  timer: NodeJS.Timeout | undefined;
  /** CPU time that the worker had used when its last message came. */
  usedMs: number;
}

/** Loading its modules takes a worker a fraction of this. */
const startTimeoutMs = 20_000;
/** How many times its CPU time a job may last on a busy machine. After that it is unavailable, which is not the job's fault. */
const maxPatience = 15;
/** How long a worker may take to say what it has used. */
const answerMs = 200;
const limits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** The worker's file: beside this one as source; beside the entry in a bundle, whose parts stand in a folder of their own. */
function workerFile(): URL {
  if (import.meta.url.endsWith(".ts")) return new URL("./worker.ts", import.meta.url);
  return new URL(import.meta.url.includes("/chunks/") ? "../markup-worker.js" : "./markup-worker.js", import.meta.url);
}

/** Runs jobs on worker threads, one at a time on each, in the order in which they came. */
export function createWorkerPool(deps: { readonly log: Log }, given: Partial<PoolOptions> = {}): WorkerPool {
  const options = { ...defaultPoolOptions, ...given };
  const counters = { jobs: 0 };
  const slots = new Set<Slot>();
  const waiting: Task[] = [];
  let isClosed = false;

  function start(): Slot {
    // Texts of strangers are worked on here: nothing of the process's environment is needed for it.
    const worker = new Worker(workerFile(), { env: {}, execArgv: [], resourceLimits: limits });
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

  /** Gives a free worker the next job, or lets it wait for one. */
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
    const { timeoutMs } = options;
    watch(slot, slot.task, timeoutMs, performance.now() + timeoutMs * maxPatience);
    counters.jobs += 1;
    slot.worker.postMessage(slot.task.job);
  }

  /** Ends a job that has used its time; one that had to share the processor gets the rest of it. */
  function watch(slot: Slot, task: Task, leftMs: number, untilMs: number): void {
    arm(slot, Math.max(leftMs, 10), () => {
      const before = slot.usedMs;
      void usedBy(slot.worker).then((now) => {
        if (slot.task !== task) return;
        const left = now === undefined ? 0 : options.timeoutMs - (now - before);
        if (left <= 0) retire(slot, { kind: "given up", reason: `it took longer than ${options.timeoutMs} ms` });
        else if (performance.now() >= untilMs) retire(slot, { kind: "unavailable", reason: "the machine is too busy" });
        else watch(slot, task, left, untilMs);
      });
    });
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
    run: <J extends Job>(job: J) =>
      new Promise<Outcome<ResultOf<J>>>((resolve) => {
        const settle = resolve as Task["settle"];
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

/** @returns undefined from a worker that is beyond answering */
async function usedBy(worker: Worker): Promise<number | undefined> {
  const silence = new Promise<undefined>((resolve) => setTimeout(resolve, answerMs, undefined).unref());
  const usage = await Promise.race([worker.cpuUsage().catch(() => undefined), silence]);
  return usage === undefined ? undefined : toMs(usage);
}
