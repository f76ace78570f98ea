import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { startServer } from "../tools/server.ts";
import { placesOf } from "./blocking-places.ts";
import { openGitClient } from "./git-client.ts";
import { pushHostileRepository } from "./hostile-repository.ts";
import { openClient } from "./http-client.ts";
import type { LoopReport } from "./loop-monitor.ts";

const usage = `node bench/blocking.ts [--only graph,diff] [--limit 50]

Sends the built program content that is expensive to process, and prints the longest block of its event loop for each place: CPU time between two
turns, and wall time as perf_hooks sees it, which other processes lengthen. A row above the limit (ms of CPU) says OVER. The command fails if a
response does not have the expected status, because a refused request does no work.`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: "string" }, limit: { type: "string", default: "50" }, help: { type: "boolean" } } });
  if (values.help === true) return void process.stdout.write(`${usage}\n`);
  const folder = mkdtempSync(join(tmpdir(), "hearth-blocking-"));
  const reportPath = join(folder, "loop.json");
  const monitor = pathToFileURL(join(import.meta.dirname, "loop-monitor.ts")).href;
  const server = await startServer({ settings: { NODE_OPTIONS: `--import ${monitor}`, HEARTH_BENCH_LOOP_REPORT: reportPath } });
  const http = openClient(server.url, server.token);
  let reports = 0;
  const report = async (): Promise<LoopReport> => {
    reports += 1;
    process.kill(server.pid, "SIGUSR2");
    for (;;) {
      const text = readIfThere(reportPath);
      const read = text === undefined ? undefined : (JSON.parse(text) as LoopReport);
      if (read?.number === reports) return read;
      await delay(5);
    }
  };
  try {
    await http.json("POST", "/api/v1/user/repos", { name: "hostile", default_branch: "main" });
    const git = openGitClient(folder);
    await report();
    const url = new URL("/root1/hostile.git", server.url);
    url.username = "root1";
    url.password = server.token;
    await pushHostileRepository(git, url.href);
    const limitMs = Number(values.limit);
    const print = (name: string, answer: string, { cpuMs, wallMs }: LoopReport): void => {
      const figures = [cpuMs, wallMs].map((ms) => ms.toFixed(0).padStart(6)).join("");
      process.stdout.write(`${name.padEnd(32)}${figures}  ${cpuMs > limitMs ? "OVER" : "    "}  ${answer}\n`);
    };
    process.stdout.write(`${"place".padEnd(32)}   CPU  wall        answer\n`);
    print("push", "", await report());
    const chosen = values.only?.split(",");
    for (const { name, path, method, body, contentType, status: expected = 200 } of await placesOf(http)) {
      if (chosen !== undefined && !chosen.some((word) => name.includes(word))) continue;
      await report();
      const began = performance.now();
      const { status, body: answer } = await http.send(method ?? (body === undefined ? "GET" : "POST"), path, body, contentType);
      const took = performance.now() - began;
      // Work that follows the response counts too.
      await delay(200);
      print(name, `${status} ${Math.round(answer.length / 1024)} KiB ${Math.round(took)} ms`, await report());
      if (status === expected) continue;
      process.stdout.write(`  FAILED: expected ${expected}: ${answer.toString("utf8", 0, 300)}\n`);
      process.exitCode = 1;
    }
  } finally {
    http.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

await main();
