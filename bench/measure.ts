import { settle, treeCpuMs } from "./process-tree.ts";
import { readCounters, type Target } from "./target.ts";

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
  /** The work is done for so long before the first round, uncounted: what a server costs that has just begun is a row of its own. */
  readonly warmUpMs?: number;
  /** How long a server uses nothing before it counts as quiet; the usual time unless given. */
  readonly quietMs?: number;
}

export interface Contender {
  readonly target: Target;
  readonly operation: Operation;
}

/** What a server has used so far; undefined where it cannot be seen. */
type Usage = Readonly<Record<"cpuMs" | "processes" | "statements", number | undefined>>;

interface Round {
  readonly latencies: readonly number[];
  readonly wallMs: number;
  readonly before: Usage;
  readonly after: Usage;
}

/** Measures the same work on every contender, a round each in turn, so that what disturbs the machine disturbs all alike. */
export async function measure(contenders: readonly Contender[], effort: Effort): Promise<Measured[]> {
  const rounds: Round[][] = contenders.map(() => []);
  const warmUp = { ...effort, roundMs: effort.warmUpMs ?? 0, roundOperations: effort.warmUpMs === undefined ? 0 : Number.MAX_SAFE_INTEGER };
  const begun: number[] = [];
  for (const { operation } of contenders) begun.push((await repeat(operation, warmUp, 0)).latencies.length);
  for (let number = 0; number < effort.rounds; number += 1) {
    for (const [at, { target, operation }] of contenders.entries()) {
      await operation.prepare?.(number);
      const done = rounds[at] ?? [];
      const before = await usageBefore(target, effort.quietMs);
      const times = await repeat(operation, effort, (begun[at] ?? 0) + done.flatMap(({ latencies }) => latencies).length);
      done.push({ ...times, before, after: await usageAfter(target, effort.quietMs) });
    }
  }
  return rounds.map(conclude);
}

/** CPU of a quiet server: what its last answers still cause is done. */
async function quietCpuMs({ pid }: Target, forMs?: number): Promise<number | undefined> {
  if (pid === undefined) return undefined;
  await settle(pid, forMs);
  return treeCpuMs(pid);
}

/** The answer that holds the counters puts nothing off. */
const countersMs = 120;

/** Reading counters costs the server CPU too, so they are read outside of the time in which that is counted. */
async function usageBefore(target: Target, quietMs?: number): Promise<Usage> {
  await quietCpuMs(target, quietMs);
  const counters = await readCounters(target);
  return { ...counters, cpuMs: await quietCpuMs(target, countersMs) };
}

async function usageAfter(target: Target, quietMs?: number): Promise<Usage> {
  const cpuMs = await quietCpuMs(target, quietMs);
  return { ...(await readCounters(target)), cpuMs };
}

/** One round: as many operations as fit, with indexes from `first`. */
async function repeat({ run }: Operation, effort: Effort, first: number): Promise<Pick<Round, "latencies" | "wallMs">> {
  const latencies: number[] = [];
  const start = performance.now();
  let next = first;
  const worker = async (): Promise<void> => {
    while (next - first < effort.roundOperations && (next === first || performance.now() - start < effort.roundMs)) {
      const index = next;
      next += 1;
      const sent = performance.now();
      await run(index);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: effort.concurrency }, worker));
  return { latencies, wallMs: performance.now() - start };
}

function conclude(rounds: readonly Round[]): Measured {
  const sorted = rounds.flatMap(({ latencies }) => latencies).sort((a, b) => a - b);
  const count = sorted.length;
  const wallMs = rounds.reduce((sum, round) => sum + round.wallMs, 0);
  const each = (name: keyof Usage): number | undefined => {
    const used = rounds.map(({ before, after }) => (after[name] ?? Number.NaN) - (before[name] ?? Number.NaN));
    const total = used.reduce((sum, value) => sum + value, 0);
    return Number.isNaN(total) ? undefined : total / count;
  };
  return {
    operations: count,
    perSecond: (count / wallMs) * 1000,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    cpuMs: each("cpuMs"),
    processes: each("processes"),
    statements: each("statements"),
  };
}

/** The smallest value that so large a share of the values does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
