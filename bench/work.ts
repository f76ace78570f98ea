import type { Effort, Operation } from "./measure.ts";
import type { Site } from "./site.ts";

/** One row of the table. */
export interface WorkItem {
  /** For `--only`. */
  readonly id: string;
  readonly title: string;
  /** Maximum CPU time of the server per operation. */
  readonly ceilingMs?: number;
  readonly effort: WorkEffort;
  /** Never runs concurrently, regardless of `--concurrency`. */
  readonly isSequential?: boolean;
  open(site: Site, operations: number): Promise<Operation>;
}

type WorkEffort = Omit<Effort, "concurrency">;

/** Cheap requests: as many as fit into a few seconds, because CPU time is counted in steps of 10 ms. */
export const manyTimes: WorkEffort = { warmUpMs: 2_000, rounds: 3, roundMs: 1_500, roundOperations: 5_000 };
/** Writes that create rows or objects. A round is long enough that steps of 10 ms, and the work of each second, have little influence. */
export const sometimes: WorkEffort = { warmUpMs: 2_000, rounds: 3, roundMs: 4_000, roundOperations: 1_500 };
/** Git operations. */
export const fewTimes: WorkEffort = { rounds: 3, roundMs: 10_000, roundOperations: 10 };
/** Operations that need a new state each time. */
export const oncePerRound: WorkEffort = { rounds: 3, roundMs: 0, roundOperations: 1 };

/** The same operation, repeated just often enough to check that it works. Its figures may miss work after the last response. */
export const shortened = (effort: WorkEffort): WorkEffort => ({
  rounds: 1,
  roundMs: 1_000,
  roundOperations: Math.min(effort.roundOperations, 3),
  quietMs: 100,
});
