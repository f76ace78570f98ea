import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { createBrowser } from "../test/kit/browser.ts";
import { printHead, printRow } from "./beside.ts";
import type { CrawlOptions, CrawlTotals } from "./crawl-worker.ts";
import { openGitClient } from "./git-client.ts";
import { openClient } from "./http-client.ts";
import { percentile } from "./measure.ts";
import { startMonitoredServer } from "./monitored-server.ts";
import { treeCpuMs } from "./process-tree.ts";
import { startReader } from "./reader.ts";
import { openSource } from "./source.ts";

const usage = `npm run bench -- crawlers [--only blame,archives] [--clients 64] [--addresses 10000] [--seconds 20] [--limit 3]

Measures the waiting times of a signed-in user who reads pages, first alone and then beside crawlers that request every blame, archive, comparison,
commit, file and directory of a repository from 10,000 addresses, on connections that send the next request as soon as they have an answer. A trusted proxy names the
addresses. "ratio" is the p99 beside the crawlers divided by the p99 before them. A row whose ratio is above the limit says OVER.`;

const api = "/api/v1/repos/root1/crawled";
const largeBytes = Buffer.alloc(1_000_000, "large file ");
const largeFile = `/root1/crawled.git/info/lfs/objects/${createHash("sha256").update(largeBytes).digest("hex")}`;

async function startCrawl(options: CrawlOptions): Promise<{ stop(): Promise<CrawlTotals> }> {
  const worker = new Worker(new URL("./crawl-worker.ts", import.meta.url), { workerData: options });
  await once(worker, "message");
  return {
    async stop() {
      worker.postMessage("stop");
      const [totals] = (await once(worker, "message")) as [CrawlTotals];
      await worker.terminate();
      return totals;
    },
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      clients: { type: "string", default: "64" },
      addresses: { type: "string", default: "10000" },
      seconds: { type: "string", default: "20" },
      limit: { type: "string", default: "3" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) return void process.stdout.write(`${usage}\n`);
  const folder = mkdtempSync(join(tmpdir(), "hearth-crawlers-"));
  const password = "correct horse battery";
  const server = await startMonitoredServer({ settings: { HEARTH_SERVER_TRUSTED_PROXIES: "127.0.0.1", HEARTH_ADMIN_PASSWORD: password } });
  const http = openClient(server.url, server.token);
  try {
    const git = openGitClient(folder);
    const source = await openSource(git);
    await http.json("POST", "/api/v1/user/repos", { name: "crawled", default_branch: source.defaultBranch });
    const url = new URL("/root1/crawled.git", server.url);
    Object.assign(url, { username: "root1", password: server.token });
    await git.run(["-C", source.folder, "push", "--quiet", url.href, "refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*"]);
    for (let at = 0; at < 60; at += 1) await http.json("POST", "/api/v1/repos/root1/crawled/issues", { title: `Issue ${at}` });
    await http.send("PUT", `${largeFile}/${largeBytes.length}`, largeBytes, "application/octet-stream");
    const files = (await git.run(["-C", source.folder, "ls-tree", "-r", "--name-only", "HEAD", `${source.directory}/`])).split("\n");
    const oids = (await git.run(["-C", source.folder, "rev-list", "HEAD"])).split("\n").slice(0, 3_000);
    const browser = createBrowser(server.url);
    await browser.signIn({ name: "root1", password });
    const { cookie } = browser;
    const repository = "/root1/crawled";
    const read = ["", "/issues", "/issues/1", "/branches", `/src/branch/${source.defaultBranch}/${source.file}`, "/pulls"].map((path) => repository + path);
    const crawls: Readonly<Record<string, readonly string[]>> = {
      blame: files.map((file) => `${repository}/blame/commit/OID/${file}`),
      archives: ["tar.gz", "zip"].map((format) => `${repository}/archive/OID.${format}`),
      comparisons: [`${repository}/compare/OID...OID`],
      commits: [`${repository}/commit/OID`],
      api: [`${api}/contents/${source.directory}?ref=OID`, `${api}/contents/${source.file}?ref=OID`, `${api}/issues?limit=50`, `${api}/branches?limit=50`],
      raw: files.map((file) => `${repository}/raw/commit/OID/${file}`),
      lfs: [largeFile],
      directories: [`${repository}/src/commit/OID/${source.directory}`],
    };
    const all = { ...crawls, all: Object.values(crawls).map((paths) => paths[0] ?? "") };
    const options = { url: server.url, clients: Number(values.clients), addresses: Number(values.addresses), oids };
    const measure = async (): Promise<number[]> => {
      const reader = startReader(server.url, cookie, read);
      await delay(Number(values.seconds) * 1_000);
      return reader.stop();
    };
    await measure();
    printHead(["crawl", "alone p50", "alone p99", "beside p50", "beside p99", "beside max", "ratio", "answers/s", "200", "429", "503", "CPU", "block", ""]);
    const chosen = values.only?.split(",");
    for (const [name, paths] of Object.entries(all)) {
      if (chosen !== undefined && !chosen.includes(name)) continue;
      const alone = await measure();
      const crawl = await startCrawl({ ...options, paths });
      await delay(2_000);
      await server.report();
      const before = treeCpuMs(server.pid);
      const beside = await measure();
      const cpuMs = treeCpuMs(server.pid) - before;
      const { cpuMs: blockMs } = await server.report();
      const { seconds, statuses, unexplained } = await crawl.stop();
      if (unexplained > 0) throw new Error(`${unexplained} refusals had no Retry-After`);
      const ratio = percentile(beside, 0.99) / percentile(alone, 0.99);
      const times = [percentile(alone, 0.5), percentile(alone, 0.99), percentile(beside, 0.5), percentile(beside, 0.99), beside.at(-1) ?? 0];
      const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
      printRow([
        name,
        ...times.map((ms) => ms.toFixed(1)),
        ratio.toFixed(1),
        (answers / seconds).toFixed(0),
        ...[200, 429, 503].map((status) => String(statuses[status] ?? 0)),
        (cpuMs / (Number(values.seconds) * 1_000)).toFixed(2),
        blockMs.toFixed(0),
        ratio > Number(values.limit) ? "OVER" : "",
      ]);
      await delay(1_000);
    }
  } finally {
    http.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
