import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { memoryOf, resetPeak, settle, treeCpuMs } from "./process-tree.ts";

/** Starts Node.js with a script, and waits until the script is done. The process runs until it is killed. */
async function startProcess(script: string): Promise<number> {
  const child = spawn(process.execPath, ["--expose-gc", "--input-type=module", "--eval", `${script}\nconsole.log("done"); setInterval(() => {}, 1e6);`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child.pid ?? 0;
}

const burn = (ms: number): string => `{ const end = process.cpuUsage().user + ${ms * 1000}; while (process.cpuUsage().user < end); }`;

test.runIf(process.platform === "linux")("counts the CPU time of a process, its running children and those it has waited for", async () => {
  // A child runs until the pipe to its parent is closed.
  const child = `spawn(process.execPath, ["--eval", \`${burn(200)} console.log("done"); process.stdin.resume();\`], { stdio: ["pipe", "pipe", "inherit"] })`;
  const idle = await startProcess("");
  const busy = await startProcess(`import { spawn } from "node:child_process"; import { once } from "node:events";
    const ended = ${child}; ended.stdin.end(); await once(ended, "exit");
    const live = ${child}; await once(live.stdout, "data");
    ${burn(200)}`);
  await settle(busy);
  const extra = treeCpuMs(busy) - treeCpuMs(idle);
  expect(extra).toBeGreaterThanOrEqual(600 - 30);
});

test.runIf(process.platform === "linux")("reports resident memory, and the peak since the last reset", async () => {
  const pid = await startProcess("let big = Buffer.alloc(200e6, 1); big = undefined; globalThis.gc();");
  const { residentBytes, peakBytes } = memoryOf(pid);
  expect(peakBytes).toBeGreaterThan(200e6);
  expect(residentBytes).toBeGreaterThan(10e6);
  expect(residentBytes).toBeLessThan(200e6);
  resetPeak(pid);
  expect(memoryOf(pid).peakBytes).toBeLessThan(200e6);
});
