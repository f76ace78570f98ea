import { subscribe } from "node:diagnostics_channel";
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

// Loaded into the server by `bench/monitored-server.ts`. On SIGUSR2 it writes the longest block of the event loop since the last signal. Not in
// TypeScript: Node.js loads a compiler for that, which would add 24 MB to the memory of the server.

/**
 * @typedef LoopReport
 * @property {number} number Reports so far.
 * @property {number} wallMs As `monitorEventLoopDelay` sees it: other processes on the machine count too.
 * @property {number} cpuMs CPU time of the main thread between two looks of the monitor: it hardly depends on what else the machine does. The
 * sum of the turns in a quarter of a second for work that begins while the program is idle.
 * @property {number} turns Turns of the event loop since the last report. Those of the monitor's own timer count too, so a blocked loop has few.
 */

/** Timers wake the process, which costs 0.1 ms of CPU time each. An idle program is looked at rarely, so that its usage is not that of the monitor. */
const idleStepMs = 250;
const idleAfterMs = 1_000;
/** More than a look itself uses. */
const activeMs = 2;

const path = process.env.HEARTH_BENCH_LOOP_REPORT;
if (isMainThread && path !== undefined) {
  const resolutionMs = Number(process.env.HEARTH_BENCH_LOOP_STEP ?? "2");
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let number = 0;
  let lastMs = usedMs();
  let cpuMs = 0;
  let wallMs = 0;
  const countTurns = () => performance.nodeTiming.uvMetricsInfo.loopCount;
  let lastTurns = countTurns();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let stepMs = Number.NaN;
  let activeAt = performance.now();
  const readDelay = () => {
    if (stepMs === resolutionMs) wallMs = Math.max(wallMs, delay.max / 1e6 - resolutionMs);
    delay.reset();
  };
  const lookEach = (/** @type {number} */ ms) => {
    if (stepMs === ms) return;
    readDelay();
    if (ms === resolutionMs) delay.enable();
    else delay.disable();
    stepMs = ms;
    clearInterval(timer);
    timer = setInterval(look, ms).unref();
  };
  const wake = () => {
    activeAt = performance.now();
    lookEach(resolutionMs);
  };
  const look = () => {
    const now = usedMs();
    const used = now - lastMs;
    cpuMs = Math.max(cpuMs, used);
    lastMs = now;
    if (used > activeMs) wake();
    else if (performance.now() - activeAt > idleAfterMs) lookEach(idleStepMs);
  };
  wake();
  subscribe("http.server.request.start", wake);
  process.on("SIGUSR2", () => {
    look();
    readDelay();
    number += 1;
    /** @type {LoopReport} */
    const report = { number, wallMs, cpuMs, turns: countTurns() - lastTurns };
    writeFileSync(`${path}.new`, JSON.stringify(report));
    renameSync(`${path}.new`, path);
    cpuMs = 0;
    wallMs = 0;
    lastTurns = countTurns();
    lastMs = usedMs();
  });
}
