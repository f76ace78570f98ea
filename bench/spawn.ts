import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSpawner, type Spawner } from "../src/git/run/spawner.ts";
import { treeCpuMs } from "./process-tree.ts";

/**
 * Compares two ways in which a process of a given size starts `git --version`: itself, and through the small process of the server. For each
 * size it prints, for one start, the CPU time of the thread of the event loop, which it blocks, the CPU time of all processes and the time until
 * git has ended, and the longest block of the event loop while 50 processes are started at once.
 */

const sizesMb = [0, 100, 800];
const single = 100;
const burst = 50;
const bursts = 3;

type Start = () => Promise<unknown>;

const environment = { PATH: process.env.PATH ?? "" };

const direct: Start = () => {
  const child = spawn("git", ["--version"], { env: environment, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.resume();
  child.stderr.resume();
  return new Promise((resolve) => child.once("close", resolve));
};

const through =
  (spawner: Spawner): Start =>
  async () => {
    const { stdout, exited } = await spawner.start({ file: "git", args: ["--version"], environment, stdin: "ignore", nice: 0 });
    const closed = new Promise((resolve) => stdout.once("close", resolve));
    stdout.resume();
    return Promise.all([exited, closed]);
  };

/** The longest time between two turns of the event loop while the work runs. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isOver = false;
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  await new Promise((resolve) => setImmediate(resolve));
  return longest;
}

const quantile = (values: readonly number[], part: number): number => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? 0;

async function measure(start: Start): Promise<readonly string[]> {
  for (let at = 0; at < 5; at += 1) await start();
  const treeBefore = treeCpuMs(process.pid);
  const threadBefore = process.threadCpuUsage();
  const times: number[] = [];
  for (let at = 0; at < single; at += 1) {
    const startedMs = performance.now();
    await start();
    times.push(performance.now() - startedMs);
  }
  const { user, system } = process.threadCpuUsage(threadBefore);
  const treeMs = treeCpuMs(process.pid) - treeBefore;
  const blocks: number[] = [];
  for (let at = 0; at < bursts; at += 1) blocks.push(await longestBlock(() => Promise.all(Array.from({ length: burst }, start))));
  return [(user + system) / 1000 / single, treeMs / single, quantile(times, 0.5), quantile(blocks, 0.5)].map((value) => value.toFixed(2));
}

const directory = mkdtempSync(join(tmpdir(), "hearth-spawn-"));
const spawner = createSpawner({ directory, log: { debug: () => {}, info: () => {}, warn: console.error, error: console.error } });
const ballast: Buffer[] = [];
console.log("| resident MB | started by | event loop, CPU ms | all processes, CPU ms | p50 ms | block by 50 at once, ms |");
console.log("|---:|---|---:|---:|---:|---:|");
for (const sizeMb of sizesMb) {
  while (ballast.length < sizeMb) ballast.push(Buffer.allocUnsafeSlow(2 ** 20).fill(ballast.length + 1));
  for (const [name, start] of [
    ["the process itself", direct],
    ["the small process", through(spawner)],
  ] as const) {
    const cells = await measure(start);
    console.log(`| ${Math.round(process.memoryUsage.rss() / 2 ** 20)} | ${name} | ${cells.join(" | ")} |`);
  }
}
await spawner.close();
rmSync(directory, { recursive: true });
