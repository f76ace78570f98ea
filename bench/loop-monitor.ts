import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

// Loaded into the server by `bench/blocking.ts`. On SIGUSR2 it writes the longest block of the event loop since the last signal.

export interface LoopReport {
  /** Reports so far. */
  readonly number: number;
  /** As `monitorEventLoopDelay` sees it: other processes on the machine count too. */
  readonly wallMs: number;
  /** CPU time of the main thread between two turns: it hardly depends on what else the machine does. */
  readonly cpuMs: number;
  /** Turns of the event loop since the last report. Those of the monitor's own timer count too, so a blocked loop has few. */
  readonly turns: number;
}

const path = process.env.HEARTH_BENCH_LOOP_REPORT;
if (isMainThread && path !== undefined) {
  const resolutionMs = Number(process.env.HEARTH_BENCH_LOOP_STEP ?? "2");
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const usedMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let number = 0;
  let lastMs = usedMs();
  let cpuMs = 0;
  const countTurns = (): number => performance.nodeTiming.uvMetricsInfo.loopCount;
  let lastTurns = countTurns();
  const look = (): void => {
    const now = usedMs();
    cpuMs = Math.max(cpuMs, now - lastMs);
    lastMs = now;
  };
  setInterval(look, resolutionMs).unref();
  process.on("SIGUSR2", () => {
    look();
    number += 1;
    const report: LoopReport = { number, wallMs: Math.max(0, delay.max / 1e6 - resolutionMs), cpuMs, turns: countTurns() - lastTurns };
    writeFileSync(`${path}.new`, JSON.stringify(report));
    renameSync(`${path}.new`, path);
    delay.reset();
    cpuMs = 0;
    lastTurns = countTurns();
    lastMs = usedMs();
  });
}
