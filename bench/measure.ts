import { settle, treeCpuMs } from "./process-tree.ts";
import { readCounters, type Target } from "./target.ts";

/** An operation that is repeated. */
export interface Operation {
  /** Runs before each round and is not counted. */
  readonly prepare?: (round: number) => Promise<void>;
  /** The index is never repeated, so it can be part of new names. */
  readonly run: (index: number) => Promise<void>;
}

export interface Measured {
  readonly operations: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the server's process tree per operation; undefined if its process is not accessible. */
  readonly cpuMs: number | undefined;
  /** CPU time of the database server per operation; undefined if it is part of `cpuMs` or not accessible. */
  readonly databaseCpuMs?: number | undefined;
  readonly processes: number | undefined;
  readonly statements: number | undefined;
  /** CPU seconds that the maintenance of stores used during all rounds; part of `cpuMs`. */
  readonly upkeepSeconds: number | undefined;
  /** Peak memory of the server process; only where it is measured. */
  readonly peakMegabytes?: number;
  /** The longest block of the server's event loop in ms; only where it is measured. */
  readonly blockMs?: number;
}

export interface Effort {
  readonly rounds: number;
  /** A round ends after this time or after `roundOperations`, whichever comes first. */
  readonly roundMs: number;
  readonly roundOperations: number;
  readonly concurrency: number;
  /** Time of the warm-up before the first round. */
  readonly warmUpMs?: number;
  /** Rounds at the start that are not counted, for operations that need `prepare`. */
  readonly warmUpRounds?: number;
  /** Time without CPU usage after which a server is idle. Default: that of {@link settle}. */
  readonly quietMs?: number;
}

export interface Contender {
  readonly target: Target;
  readonly operation: Operation;
}

/** Usage of a server since its start; undefined if it is not accessible. */
type Usage = Readonly<Record<"cpuMs" | "databaseCpuMs" | "processes" | "statements" | "upkeepSeconds", number | undefined>>;

interface Round {
  readonly latencies: readonly number[];
  readonly wallMs: number;
  readonly before: Usage;
  readonly after: Usage;
}

/** Measures the same operation on each contender in alternating rounds, so that disturbances of the machine affect all of them. */
export async function measure(contenders: readonly Contender[], effort: Effort): Promise<Measured[]> {
  const rounds: Round[][] = contenders.map(() => []);
  const warmUp = { ...effort, roundMs: effort.warmUpMs ?? 0, roundOperations: effort.warmUpMs === undefined ? 0 : Number.MAX_SAFE_INTEGER };
  const warmUpCounts: number[] = [];
  for (const { operation } of contenders) warmUpCounts.push((await repeat(operation, warmUp, 0)).latencies.length);
  const warmUpRounds = effort.warmUpRounds ?? 0;
  for (let number = 0; number < warmUpRounds; number += 1) {
    for (const [at, { operation }] of contenders.entries()) {
      await operation.prepare?.(number);
      warmUpCounts[at] = (warmUpCounts[at] ?? 0) + (await repeat(operation, effort, warmUpCounts[at] ?? 0)).latencies.length;
    }
  }
  for (let number = warmUpRounds; number < warmUpRounds + effort.rounds; number += 1) {
    for (const [at, { target, operation }] of contenders.entries()) {
      await operation.prepare?.(number);
      const done = rounds[at] ?? [];
      const before = await usageBefore(target, effort.quietMs);
      const times = await repeat(operation, effort, (warmUpCounts[at] ?? 0) + done.flatMap(({ latencies }) => latencies).length);
      done.push({ ...times, before, after: await usageAfter(target, effort.quietMs) });
    }
  }
  return rounds.map(summarize);
}

/** CPU time of an idle server, including the work after its last responses. */
async function quietCpuMs({ pid }: Target, forMs?: number): Promise<number | undefined> {
  if (pid === undefined) return undefined;
  await settle(pid, forMs);
  return treeCpuMs(pid);
}

/** The response with the counters causes no later work. */
const countersMs = 120;

/** Reading the counters costs CPU time of the server, so it happens before the CPU time is read. */
async function usageBefore(target: Target, quietMs?: number): Promise<Usage> {
  await quietCpuMs(target, quietMs);
  const counters = await readCounters(target);
  return { ...counters, cpuMs: await quietCpuMs(target, countersMs), databaseCpuMs: databaseCpuMs(target) };
}

const databaseCpuMs = ({ databasePid }: Target): number | undefined => (databasePid === undefined ? undefined : treeCpuMs(databasePid));

async function usageAfter(target: Target, quietMs?: number): Promise<Usage> {
  const cpuMs = await quietCpuMs(target, quietMs);
  return { ...(await readCounters(target)), cpuMs, databaseCpuMs: databaseCpuMs(target) };
}

/** One round, with indexes from `first`. */
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

function summarize(rounds: readonly Round[]): Measured {
  const sorted = rounds.flatMap(({ latencies }) => latencies).sort((a, b) => a - b);
  const count = sorted.length;
  const wallMs = rounds.reduce((sum, round) => sum + round.wallMs, 0);
  const all = (name: keyof Usage): number | undefined => {
    const used = rounds.map(({ before, after }) => (after[name] ?? Number.NaN) - (before[name] ?? Number.NaN));
    const total = used.reduce((sum, value) => sum + value, 0);
    return Number.isNaN(total) ? undefined : total;
  };
  const each = (name: keyof Usage): number | undefined => {
    const total = all(name);
    return total === undefined ? undefined : total / count;
  };
  return {
    operations: count,
    perSecond: (count / wallMs) * 1000,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    cpuMs: each("cpuMs"),
    databaseCpuMs: each("databaseCpuMs"),
    processes: each("processes"),
    statements: each("statements"),
    upkeepSeconds: all("upkeepSeconds"),
  };
}

/** The smallest value that is greater than or equal to this share of the values. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
