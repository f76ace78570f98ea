import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** Resource usage of a process and its descendants, from /proc (proc(5)). Linux only. */

/** Linux counts 100 clock ticks per second in /proc/<pid>/stat. */
const msPerTick = 10;

interface Stat {
  readonly parent: number;
  /** CPU time of the process and of the children that it has waited for, in ms. */
  readonly cpuMs: number;
}

/** User and system time of a process tree in ms, including exited descendants for which their parent has waited. */
export function treeCpuMs(root: number): number {
  const stats = readStats();
  let total = 0;
  for (const pid of descendants(root, stats)) total += stats.get(pid)?.cpuMs ?? 0;
  return total;
}

/** Longer than the delay of the server's batched work. */
const quietMs = 1_200;

const settleLimitMs = 15_000;

/** Waits until the tree has used no CPU time for a while, so that work after a response is counted with it. */
export async function settle(root: number, forMs = quietMs, limitMs = settleLimitMs): Promise<void> {
  const limit = performance.now() + limitMs;
  let busyAt = performance.now();
  let before = treeCpuMs(root);
  while (performance.now() - busyAt < forMs && performance.now() < limit) {
    await new Promise((resolve) => setTimeout(resolve, 40));
    const now = treeCpuMs(root);
    if (now !== before) busyAt = performance.now();
    before = now;
  }
}

/** Resident memory of one process in bytes: now, and its peak since the start or the last {@link resetPeak}. */
export function memoryOf(pid: number): { readonly residentBytes: number; readonly peakBytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? 0) * 1024;
  return { residentBytes: bytes("VmRSS"), peakBytes: bytes("VmHWM") };
}

export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

function readStats(): Map<number, Stat> {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(name);
    if (stat !== undefined) stats.set(Number(name), stat);
  }
  return stats;
}

function readStat(pid: string): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined; // The process has exited.
  }
  // The command in parentheses can contain any character; the state is the first field after it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
  return { parent: Number(fields[1]), cpuMs: ticks * msPerTick };
}

function descendants(root: number, stats: ReadonlyMap<number, Stat>): Set<number> {
  const tree = new Set([root]);
  // Each iteration adds a generation.
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const [pid, { parent }] of stats) if (tree.has(parent)) tree.add(pid);
  }
  return tree;
}
