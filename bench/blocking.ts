import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { placesOf } from "./blocking-places.ts";
import { openGitClient } from "./git-client.ts";
import { pushHostileRepository } from "./hostile-repository.ts";
import { openClient } from "./http-client.ts";
import type { LoopReport } from "./loop-monitor.mjs";
import { startMonitoredServer } from "./monitored-server.ts";
import { pushWorstRepository } from "./worst-places.ts";

const usage = `npm run bench -- blocking [--only graph,diff] [--limit 50]

Sends the built program content that is expensive to process, and prints the longest block of its event loop for each place: CPU time between two
turns, and wall time as perf_hooks sees it, which other processes lengthen. A row above the limit (ms of CPU) says OVER. The command fails if a
response does not have the expected status, because a refused request does no work.`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: "string" }, limit: { type: "string", default: "50" }, help: { type: "boolean" } } });
  if (values.help === true) return void process.stdout.write(`${usage}\n`);
  const folder = mkdtempSync(join(tmpdir(), "hearth-blocking-"));
  const server = await startMonitoredServer();
  const http = openClient(server.url, server.token);
  try {
    for (const name of ["hostile", "worst"]) await http.json("POST", "/api/v1/user/repos", { name, default_branch: "main" });
    const git = openGitClient(folder);
    await server.report();
    const urlOf = (name: string): string => {
      const url = new URL(`/root1/${name}.git`, server.url);
      url.username = "root1";
      url.password = server.token;
      return url.href;
    };
    await pushHostileRepository(git, urlOf("hostile"));
    const large = await pushWorstRepository(git, "root1/worst", urlOf("worst"));
    const limitMs = Number(values.limit);
    const print = (name: string, answer: string, { cpuMs, wallMs }: LoopReport): void => {
      const figures = [cpuMs, wallMs].map((ms) => ms.toFixed(0).padStart(6)).join("");
      process.stdout.write(`${name.padEnd(32)}${figures}  ${cpuMs > limitMs ? "OVER" : "    "}  ${answer}\n`);
    };
    process.stdout.write(`${"place".padEnd(32)}   CPU  wall        answer\n`);
    print("push", "", await server.report());
    const chosen = values.only?.split(",");
    for (const { name, path, method, body, contentType, status: expected = 200 } of [...(await placesOf(http)), ...large]) {
      if (chosen !== undefined && !chosen.some((word) => name.includes(word))) continue;
      await server.report();
      const began = performance.now();
      const { status, body: answer } = await http.send(method ?? (body === undefined ? "GET" : "POST"), path, body, contentType);
      const took = performance.now() - began;
      // Work that follows the response counts too.
      await delay(200);
      print(name, `${status} ${Math.round(answer.length / 1024)} KiB ${Math.round(took)} ms`, await server.report());
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

await main();
