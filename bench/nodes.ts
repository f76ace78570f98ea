import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startServer } from "../tools/server.ts";
import { type GitClient, openGitClient } from "./git-client.ts";
import { httpWork } from "./http-work.ts";
import { issueWork } from "./issue-work.ts";
import { fixed, head, row } from "./markdown.ts";
import { type Contender, measure } from "./measure.ts";
import { type Cluster, startCluster } from "./node-cluster.ts";
import { countIdle, measureOutages } from "./node-failure.ts";
import { compareReads, compareWriters } from "./node-rates.ts";
import { memoryOf } from "./process-tree.ts";
import { openSite, type Site } from "./site.ts";
import { openSource, type Source } from "./source.ts";
import { gitUrl, openTarget, type Target } from "./target.ts";
import type { WorkItem } from "./work.ts";

const usage = `npm run bench -- nodes [--only requests,writers,reads,idle,killed,cold,large]

Starts the built program on SQLite, and nodes on PostgreSQL and an S3 service of its own, all on this machine.
  requests  CPU ms of a node for one request, beside the program on SQLite
  writers   comments per second of 1 to 16 clients, in one repository and in one each; also with the database a network away
  reads     requests per second that one and two nodes answer, and their CPU time; also with a small share of a core for each node
  idle      statements per second of a node without requests
  killed    time until writes continue after a node is killed, and until its webhooks arrive
  cold      first and second clone of Express through a node that does not have it, and requests to the bucket
  large     peak memory of a node that serves a repository of 1 GB for the first time`;

const parts = ["requests", "writers", "reads", "idle", "killed", "cold", "large"] as const;
type Part = (typeof parts)[number];

/** Reads and small writes. */
const compared = [
  "repository",
  "directory",
  "file",
  "raw",
  "commits",
  "branches",
  "search",
  "issue",
  "issues",
  "comments",
  "create-issue",
  "create-comment",
  "edit",
];

async function compareRequests(alone: Target, node: Target, git: GitClient, source: Source): Promise<void> {
  const sites = [openSite(alone, git, source), openSite(node, git, source)];
  head("request", "SQLite CPU ms", "node CPU ms", "ratio", "SQLite statements", "node statements");
  for (const item of [...httpWork, ...issueWork].filter(({ id }) => compared.includes(id))) {
    const [first, second] = await measure(await contendersOf(item, sites), { ...item.effort, concurrency: 4 });
    row(
      item.title,
      fixed(first?.cpuMs),
      fixed(second?.cpuMs),
      fixed((second?.cpuMs ?? 0) / (first?.cpuMs ?? 1)),
      fixed(first?.statements),
      fixed(second?.statements),
    );
  }
}

async function contendersOf(item: WorkItem, sites: readonly Site[]) {
  const contenders: Contender[] = [];
  for (const site of sites) contenders.push({ target: site.target, operation: await item.open(site, item.effort.rounds * item.effort.roundOperations) });
  return contenders;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function compareClones(writer: Target, cluster: Cluster, git: GitClient, source: Source): Promise<void> {
  const name = await openSite(writer, git, source).browsed();
  const { target, wipe } = await cluster.startNode();
  await wipe();
  const before = cluster.bucketRequests();
  const clone = (folder: string) => timeOf(() => git.run(["clone", "--quiet", "--mirror", gitUrl(target, name), join(git.folder, folder)]));
  const cold = await clone("cold");
  const fetched = cluster.bucketRequests() - before;
  const warm = await clone("warm");
  const packs = (await git.run(["-C", join(git.folder, "cold"), "count-objects", "-v"])).match(/size-pack: (\d+)/)?.[1];
  head("clone of Express through a node without it", "ms", "requests to the bucket");
  row("first", cold.toFixed(0), fetched);
  row("second", warm.toFixed(0), cluster.bucketRequests() - before - fetched);
  row("KiB received", packs ?? "", "");
}

/** Between a node and a distant PostgreSQL, each direction. */
const delayMs = 1;

const largeFiles = 20;
const largeFileBytes = 50 * 1024 * 1024;

async function measureLarge(writer: Target, cluster: Cluster, git: GitClient): Promise<void> {
  const folder = join(git.folder, "large");
  mkdirSync(folder);
  await git.run(["init", "--quiet", "-b", "main", folder]);
  writeFileSync(join(folder, "small.txt"), "small\n");
  for (let at = 0; at < largeFiles; at += 1) writeFileSync(join(folder, `${at}.bin`), randomBytes(largeFileBytes));
  // Neither compression nor deltas: they take longer than the measured work.
  for (const setting of ["core.compression=0", "core.bigFileThreshold=1m"]) await git.run(["-C", folder, "config", ...setting.split("=")]);
  await git.run(["-C", folder, "add", "."]);
  await git.run(["-C", folder, "-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "--quiet", "-m", "large"]);
  const name = `large-${randomBytes(3).toString("hex")}`;
  await writer.http.json("POST", "/api/v1/user/repos", { name, default_branch: "main" });
  await git.run(["-C", folder, "push", "--quiet", gitUrl(writer, name), "main"]);
  const { server, target, wipe } = await cluster.startNode();
  await wipe();
  await target.http.json("GET", `/api/v1/repos/${target.owner}/${name}/contents/small.txt`);
  await git.run(["clone", "--quiet", "--bare", gitUrl(target, name), join(git.folder, "large-copy")]);
  head("cold repository of 1 GB", "MB");
  row("peak memory of the node", (memoryOf(server.pid).peakBytes / 1e6).toFixed(0));
  row("peak memory of the node that received the push", writer.pid === undefined ? "-" : (memoryOf(writer.pid).peakBytes / 1e6).toFixed(0));
}

const { values } = parseArgs({ options: { only: { type: "string" }, help: { type: "boolean" } } });
if (values.help === true) console.log(usage);
else {
  const chosen = new Set<Part>(parts.filter((part) => values.only === undefined || values.only.split(",").includes(part)));
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
  const git = openGitClient(folder);
  const source = await openSource(git);
  await using cluster = await startCluster();
  const first = await cluster.startNode();
  const { target: node } = first;
  const alone = await startServer({ settings: { HEARTH_METRICS: "true" } });
  const one = await openTarget({ name: "SQLite", url: alone.url, token: alone.token, hasCounters: true, pid: alone.pid });
  try {
    if (chosen.has("requests")) await compareRequests(one, node, git, source);
    if (chosen.has("idle")) await countIdle(cluster);
    if (chosen.has("writers")) {
      const distant = await cluster.startNode({ delayMs });
      const roundTripMs = await cluster.roundTripMs(delayMs);
      await compareWriters(cluster, [
        ["SQLite", one],
        ["node", node],
        [`node with ${roundTripMs.toFixed(1)} ms to PostgreSQL and back`, distant.target],
      ]);
    }
    if (chosen.has("reads")) await compareReads(cluster, [first, await cluster.startNode()]);
    if (chosen.has("killed")) await measureOutages(cluster, first);
    if (chosen.has("cold")) await compareClones(node, cluster, git, source);
    if (chosen.has("large")) await measureLarge(node, cluster, git);
  } finally {
    one.http.close();
    await alone.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
