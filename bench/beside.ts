import type { MonitoredServer } from "./monitored-server.ts";
import { type ProbeTimes, startProbe } from "./probe.ts";
import { memoryOf, resetPeak, treeCpuMs } from "./process-tree.ts";

/** The effects of a load on other clients and on the server. */
export interface Beside {
  /** Waiting times of light requests on new connections. */
  readonly fresh: ProbeTimes;
  /** The same for a bare server. */
  readonly noise: ProbeTimes;
  /** CPU time of the server and its processes. */
  readonly cpuMs: number;
  /** The longest block of the event loop, in CPU time of the main thread. */
  readonly blockMs: number;
  /** Peak memory of the server's process. */
  readonly peakBytes: number;
}

/** Measures a server while the work runs. */
export async function measureBeside<T>(server: MonitoredServer, work: () => Promise<T>): Promise<Beside & { readonly result: T }> {
  resetPeak(server.pid);
  await server.report();
  const before = treeCpuMs(server.pid);
  const probe = await startProbe(server.url);
  const result = await work();
  const cpuMs = treeCpuMs(server.pid) - before;
  const { server: fresh, noise } = await probe.stop();
  const { cpuMs: blockMs } = await server.report();
  return { result, fresh, noise, cpuMs, blockMs, peakBytes: memoryOf(server.pid).peakBytes };
}

export const besideHeads = ["new p50", "new p99", "new max", "noise p99", "noise max", "block", "peak MB"];

/** Cells for {@link besideHeads}: milliseconds, and megabytes. */
export const besideCells = ({ fresh, noise, blockMs, peakBytes }: Beside): string[] => [
  ...[fresh.p50, fresh.p99, fresh.max, noise.p99, noise.max, blockMs].map((ms) => ms.toFixed(0)),
  (peakBytes / 2 ** 20).toFixed(0),
];

/** Prints a line of a Markdown table. */
export const printRow = (cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(" | ")} |\n`);

export function printHead(cells: readonly string[]): void {
  printRow(cells);
  process.stdout.write(`|---|${"---:|".repeat(cells.length - 1)}\n`);
}
