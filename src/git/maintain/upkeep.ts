import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { GitCounters } from "../run/runner.ts";

/**
 * Bounds the CPU time of maintenance while the server is busy: after a run, the next one waits until maintenance has used at most a tenth of
 * one processor on average, or until the server is idle. The callers run one at a time, in the queue of their jobs.
 */
export interface Upkeep {
  /** Waits for the budget, then works. Rejects with the reason of the signal if that is aborted meanwhile. */
  run<T>(task: UpkeepTask, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  state(): UpkeepState;
}

export interface UpkeepTask {
  readonly kind: "tidy" | "collect" | "check";
  readonly storeId: number;
}

export interface UpkeepRun extends UpkeepTask {
  readonly startedMs: number;
  readonly wallMs: number;
  /** CPU time of its git processes. */
  readonly cpuMs: number;
}

export interface UpkeepState {
  /** The task that runs, or waits for the budget. */
  readonly current: (UpkeepTask & { readonly isWaiting: boolean }) | undefined;
  /** The last runs, newest first. */
  readonly runs: readonly UpkeepRun[];
  /** CPU time of all runs since the start. */
  readonly cpuMs: number;
}

export interface UpkeepOptions {
  readonly nowMs?: () => number;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Begins an observation. @returns a function that reports whether the server has been idle since */
  readonly observeIdle?: () => () => boolean;
}

const share = 0.1;
/** CPU time that may be used at once: enough for the pushes of a usual day. */
const burstMs = 3_000;
const lookEveryMs = 1_000;
const idleUtilization = 0.1;
const shownRuns = 10;

export function createUpkeep(counters: Pick<GitCounters, "maintenanceCpuMs">, options: UpkeepOptions = {}): Upkeep {
  const { nowMs = Date.now, pause = (ms, signal) => sleep(ms, undefined, { signal, ref: false }), observeIdle = observeLoop } = options;
  let creditMs = burstMs;
  let countedMs = nowMs();
  let current: UpkeepState["current"];
  const runs: UpkeepRun[] = [];

  const hasCredit = (): boolean => {
    const now = nowMs();
    creditMs = Math.min(burstMs, creditMs + Math.max(0, now - countedMs) * share);
    countedMs = now;
    return creditMs > 0;
  };

  return {
    async run(task, signal, work) {
      current = { ...task, isWaiting: true };
      try {
        while (!hasCredit()) {
          const isIdle = observeIdle();
          await pause(lookEveryMs, signal);
          if (isIdle()) break;
        }
        signal.throwIfAborted();
        current = { ...task, isWaiting: false };
        const startedMs = nowMs();
        const before = counters.maintenanceCpuMs;
        try {
          return await work();
        } finally {
          const cpuMs = counters.maintenanceCpuMs - before;
          creditMs -= cpuMs;
          runs.unshift({ ...task, startedMs, wallMs: nowMs() - startedMs, cpuMs });
          runs.splice(shownRuns);
        }
      } finally {
        current = undefined;
      }
    },
    state: () => ({ current, runs: [...runs], cpuMs: counters.maintenanceCpuMs }),
  };
}

function observeLoop(): () => boolean {
  const before = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(before).utilization < idleUtilization;
}
