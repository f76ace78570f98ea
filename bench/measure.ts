import { settle, treeCpuMs } from "./process-tree.ts";
import { type Counters, readCounters, type Target } from "./target.ts";

/** One piece of work, done again and again. */
export interface Operation {
  /** Done before each round, and not counted. */
  readonly prepare?: (round: number) => Promise<void>;
  /** The index never repeats, so that writes can make new names. */
  readonly run: (index: number) => Promise<void>;
}

export interface Measured {
  readonly operations: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU of the server's process tree for one operation; undefined when its process is out of sight. */
  readonly cpuMs: number | undefined;
  readonly processes: number | undefined;
  readonly statements: number | undefined;
}

export interface Effort {
  readonly rounds: number;
  /** A round ends after this time, and after this many operations. */
  readonly roundMs: number;
  readonly roundOperations: number;
  readonly concurrency: number;
}

export interface Contender {
  readonly target: Target;
  readonly operation: Operation;
}

interface Sum {
  readonly latencies: number[];
  wallMs: number;
  cpuMs: number;
  before: Counters;
}

/** Measures the same work on every contender, a round each in turn, so that what disturbs the machine disturbs all alike. */
export async function measure(contenders: readonly Contender[], effort: Effort): Promise<Measured[]> {
  const sums: Sum[] = [];
  for (const { target } of contenders) sums.push({ latencies: [], wallMs: 0, cpuMs: 0, before: await readCounters(target) });
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const [at, contender] of contenders.entries()) {
      const sum = sums[at];
      if (sum === undefined) continue;
      await contender.operation.prepare?.(round);
      await runRound(contender, effort, sum);
    }
  }
  const results: Measured[] = [];
  for (const [at, { target }] of contenders.entries()) {
    const sum = sums[at];
    if (sum !== undefined) results.push(conclude(sum, target, await readCounters(target)));
  }
  return results;
}

async function runRound({ target, operation }: Contender, effort: Effort, sum: Sum): Promise<void> {
  if (target.pid !== undefined) await settle(target.pid);
  const cpuBefore = target.pid === undefined ? 0 : treeCpuMs(target.pid);
  const start = performance.now();
  const first = sum.latencies.length;
  let next = first;
  const worker = async (): Promise<void> => {
    while (next - first < effort.roundOperations && (next === first || performance.now() - start < effort.roundMs)) {
      const index = next;
      next += 1;
      const sent = performance.now();
      await operation.run(index);
      sum.latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: effort.concurrency }, worker));
  sum.wallMs += performance.now() - start;
  if (target.pid === undefined) return;
  await settle(target.pid);
  sum.cpuMs += treeCpuMs(target.pid) - cpuBefore;
}

function conclude(sum: Sum, target: Target, after: Counters): Measured {
  const count = sum.latencies.length;
  const sorted = sum.latencies.toSorted((a, b) => a - b);
  const each = (name: keyof Counters): number | undefined => {
    const [before, now] = [sum.before[name], after[name]];
    return before === undefined || now === undefined ? undefined : (now - before) / count;
  };
  return {
    operations: count,
    perSecond: (count / sum.wallMs) * 1000,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    cpuMs: target.pid === undefined ? undefined : sum.cpuMs / count,
    processes: each("processes"),
    statements: each("statements"),
  };
}

/** The smallest value that so large a share of the values does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
