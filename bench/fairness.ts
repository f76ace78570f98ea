import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createBrowser } from "../test/kit/browser.ts";
import { besideCells, besideHeads, measureBeside, printHead, printRow } from "./beside.ts";
import { openGitClient } from "./git-client.ts";
import { openClient } from "./http-client.ts";
import { startLoad } from "./load.ts";
import { percentile } from "./measure.ts";
import { startMonitoredServer } from "./monitored-server.ts";
import { startReader } from "./reader.ts";
import { openSource, type Source } from "./source.ts";

const usage = `npm run bench -- fairness [--only contents,page] [--clients 500] [--seconds 4] [--limit 250]

Saturates the built program with clients that keep their connections and send their next request as soon as they have an answer. Beside them, a light
request is sent each 40 ms on a new connection, to the program and to a bare server (noise). Prints the waiting times of these requests, the longest
block of the event loop in CPU ms, and the peak memory of the program. "user" are the waiting times of a signed-in user who reads pages in a browser. "opened" is the time until each client had its first answer. The light
requests begin after it. A row whose p99 on new connections is above the limit (ms) says OVER.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      clients: { type: "string", default: "500" },
      seconds: { type: "string", default: "4" },
      limit: { type: "string", default: "250" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) return void process.stdout.write(`${usage}\n`);
  const folder = mkdtempSync(join(tmpdir(), "hearth-fairness-"));
  const password = "correct horse battery";
  const server = await startMonitoredServer({ settings: { HEARTH_ADMIN_PASSWORD: password } });
  const http = openClient(server.url, server.token);
  try {
    const git = openGitClient(folder);
    const source = await openSource(git);
    await http.json("POST", "/api/v1/user/repos", { name: "busy", default_branch: source.defaultBranch });
    const url = new URL("/root1/busy.git", server.url);
    Object.assign(url, { username: "root1", password: server.token });
    await git.run(["-C", source.folder, "push", "--quiet", url.href, "refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*"]);
    await http.send("PUT", `${largeFile}/${largeBytes.length}`, largeBytes, "application/octet-stream");
    for (let at = 0; at < 60; at += 1) await http.json("POST", "/api/v1/repos/root1/busy/issues", { title: `Issue ${at}` });

    const browser = createBrowser(server.url);
    await browser.signIn({ name: "root1", password });
    const pages = ["", "/issues", "/branches", `/src/branch/${source.defaultBranch}/${source.file}`].map((path) => `/root1/busy${path}`);
    const readPages = async (): Promise<string[]> => {
      const reader = startReader(server.url, browser.cookie, pages);
      await delay(Number(values.seconds) * 1_000);
      const waits = await reader.stop();
      return [0.5, 0.99].map((share) => percentile(waits, share).toFixed(0));
    };
    await readPages();
    printHead(["load", "opened", "answers/s", "CPU ms each", ...besideHeads, "user p50", "user p99", ""]);
    printRow(["none", "", "", "", ...besideHeads.map(() => ""), ...(await readPages()), ""]);
    const chosen = values.only?.split(",");
    const loads = loadsOf(source);
    for (const [name, path] of Object.entries(loads)) {
      if (chosen !== undefined && !chosen.includes(name)) continue;
      const load = { url: server.url, token: server.token, clients: Number(values.clients), paths: [path] };
      // Caches are filled once.
      await http.send("GET", path);
      const running = await startLoad(load);
      const beside = await measureBeside(server, readPages);
      const { answers, seconds, others } = await running.stop();
      if (Object.keys(others).length > 0) throw new Error(`${path} was answered with ${JSON.stringify(others)}`);
      const perSecond = answers / seconds;
      const figures = [running.openedMs, perSecond].map((figure) => figure.toFixed(0));
      const cpuMs = (beside.cpuMs / (perSecond * Number(values.seconds))).toFixed(2);
      printRow([name, ...figures, cpuMs, ...besideCells(beside), ...beside.result, beside.fresh.p99 > Number(values.limit) ? "OVER" : ""]);
    }
  } finally {
    http.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const api = "/api/v1/repos/root1/busy";

const largeBytes = Buffer.alloc(1_000_000, "large file ");
const largeFile = `/root1/busy.git/info/lfs/objects/${createHash("sha256").update(largeBytes).digest("hex")}`;

/** One path for each load. */
const loadsOf = (source: Source): Readonly<Record<string, string>> => ({
  version: "/api/v1/version",
  repository: api,
  contents: `${api}/contents`,
  branches: `${api}/branches?limit=50`,
  issues: `${api}/issues?limit=50`,
  commits: `${api}/commits?limit=50`,
  search: "/api/v1/repos/search?limit=50",
  file: `${api}/contents/${source.file}`,
  raw: `/root1/busy/raw/branch/${source.defaultBranch}/${source.file}`,
  lfs: largeFile,
  page: "/root1/busy",
});

await main();
