import type { Effort, Operation } from "./measure.ts";
import type { Site } from "./site.ts";

/** One row of the table: what is done, how often, and what it may cost. */
export interface WorkItem {
  /** For `--only`. */
  readonly id: string;
  readonly title: string;
  /** Server CPU of one operation, at most. */
  readonly ceilingMs?: number;
  readonly effort: WorkEffort;
  /** Never several at a time, whatever was asked for. */
  readonly isSequential?: boolean;
  open(site: Site, operations: number): Promise<Operation>;
}

type WorkEffort = Omit<Effort, "concurrency">;

/** Requests that cost little: as many as fit into a few seconds, since CPU time is counted in steps of 10 ms. */
export const manyTimes: WorkEffort = { warmUpMs: 2_000, rounds: 3, roundMs: 1_500, roundOperations: 5_000 };
/** Writes that leave something behind. */
/** Enough of them in a round that steps of 10 ms, and what a server does every second, weigh little. */
export const sometimes: WorkEffort = { warmUpMs: 2_000, rounds: 3, roundMs: 4_000, roundOperations: 1_500 };
/** Git operations. */
export const fewTimes: WorkEffort = { rounds: 3, roundMs: 10_000, roundOperations: 10 };
/** What needs a state of its own each time. */
export const onceARound: WorkEffort = { rounds: 3, roundMs: 0, roundOperations: 1 };

/** The same work, done just often enough to see that it works. */
export const briefly = (effort: WorkEffort): WorkEffort => ({ rounds: 1, roundMs: 1_000, roundOperations: Math.min(effort.roundOperations, 3) });
