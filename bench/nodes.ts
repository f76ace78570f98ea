import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findPostgres, startPostgres } from "../test/kit/postgres-cluster.ts";
import { ensureGateway, startGateway } from "../test/kit/s3-gateway.ts";
import { type RunningServer, startServer } from "../tools/server.ts";
import { type GitClient, openGitClient } from "./git-client.ts";
import { httpWork } from "./http-work.ts";
import { issueWork } from "./issue-work.ts";
import { type Contender, measure } from "./measure.ts";
import { memoryOf, resetPeak, settle } from "./process-tree.ts";
import { openSite, type Site } from "./site.ts";
import { openSource, type Source } from "./source.ts";
import { gitUrl, openTarget, type Target } from "./target.ts";
import type { WorkItem } from "./work.ts";

const usage = `npm run bench -- nodes [--only requests,writers,reads,cold,large]

Starts the built program on SQLite, and nodes on PostgreSQL and an S3 service of its own, all on this machine.
  requests  CPU ms of a node for one request, beside the program on SQLite
  writers   comments per second of 1 and of 16 clients in one repository
  reads     requests per second that one and two nodes answer; load, nodes and PostgreSQL share the cores
  cold      first and second clone of Express through a node that does not have it, and requests to the bucket
  large     peak memory of a node that serves a repository of 1 GB for the first time`;

const parts = ["requests", "writers", "reads", "cold", "large"] as const;
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

interface ClusterNode {
  readonly server: RunningServer;
  readonly target: Target;
  /** Waits until all nodes are idle, and deletes the packs that this one has fetched. A node that starts runs waiting jobs, which need packs. */
  wipe(): Promise<void>;
}

interface Cluster extends AsyncDisposable {
  startNode(): Promise<ClusterNode>;
  /** Requests to the bucket so far. */
  bucketRequests(): number;
}

async function startCluster(): Promise<Cluster> {
  const binaries = findPostgres();
  if (binaries === undefined) throw new Error("postgres and initdb are needed");
  await ensureGateway();
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-nodes-"));
  chmodSync(folder, 0o711);
  const postgres = await startPostgres(binaries, join(folder, "pg"), { settings: ["shared_buffers=256MB"] });
  const gateway = await startGateway();
  const line = await countRequests(Number(/:(\d+)\//.exec(gateway.environment.HEARTH_STORAGE_URL ?? "")?.[1]));
  const [secret, token] = [randomBytes(32).toString("hex"), randomBytes(20).toString("hex")];
  const servers: RunningServer[] = [];
  const targets: Target[] = [];
  return {
    bucketRequests: line.count,
    async startNode() {
      const data = mkdtempSync(join(folder, "node-"));
      const server = await startServer({
        folder: data,
        settings: {
          HEARTH_DATABASE_URL: postgres.urlOf("postgres"),
          HEARTH_SECRET_KEY: secret,
          HEARTH_ADMIN_TOKEN: token,
          HEARTH_METRICS: "true",
          ...gateway.environment,
          HEARTH_STORAGE_URL: (gateway.environment.HEARTH_STORAGE_URL ?? "").replace(/:\d+\//, `:${line.port}/`),
        },
      });
      servers.push(server);
      const target = await openTarget({ name: `node ${servers.length}`, url: server.url, token, hasCounters: true, pid: server.pid });
      targets.push(target);
      return {
        server,
        target,
        async wipe() {
          for (const { pid } of servers) await settle(pid);
          const root = join(data, "data", "repositories");
          for (const shard of readdirSync(root)) if (/^[0-9a-f]{2}$/.test(shard)) rmSync(join(root, shard), { recursive: true, force: true });
          resetPeak(server.pid);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const { http } of targets) http.close();
      for (const server of servers) await server.stop();
      line.close();
      await gateway[Symbol.asyncDispose]();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Forwards requests to a port, and counts them. */
async function countRequests(port: number): Promise<{ readonly port: number; readonly count: () => number; readonly close: () => void }> {
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    count += 1;
    const forwarded = request({ host: "127.0.0.1", port, method: incoming.method, path: incoming.url, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    count: () => count,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const row = (...cells: readonly (string | number)[]): void => console.log(`| ${cells.join(" | ")} |`);
const head = (...cells: readonly string[]): void => {
  row(...cells);
  row(...cells.map((_, at) => (at === 0 ? "---" : "---:")));
};
const fixed = (value: number | undefined): string => (value === undefined ? "-" : value.toFixed(2));

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

/** Requests per second of some clients, each with its next request after its answer. */
async function rateOf(clients: number, durationMs: number, send: (client: number, at: number) => Promise<unknown>): Promise<{ rate: number; p99Ms: number }> {
  const times: number[] = [];
  const endMs = performance.now() + durationMs;
  const client = async (number: number): Promise<void> => {
    for (let at = 0; performance.now() < endMs; at += 1) {
      const began = performance.now();
      await send(number, at);
      times.push(performance.now() - began);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  times.sort((a, b) => a - b);
  return { rate: (times.length * 1000) / (performance.now() - began), p99Ms: times[Math.floor(times.length * 0.99)] ?? 0 };
}

const measuredMs = 6_000;

async function compareWriters(targets: readonly Target[]): Promise<void> {
  head("comments in one repository", "1 client, per s", "16 clients, per s", "factor", "p99 ms of 16");
  for (const target of targets) {
    const name = `writers-${randomBytes(3).toString("hex")}`;
    await target.http.json("POST", "/api/v1/user/repos", { name });
    for (let at = 0; at < 16; at += 1) await target.http.json("POST", `/api/v1/repos/${target.owner}/${name}/issues`, { title: `${at}` });
    const comment = (client: number, at: number) =>
      target.http.json("POST", `/api/v1/repos/${target.owner}/${name}/issues/${client + 1}/comments`, { body: `Comment ${at}.` });
    await rateOf(4, 2_000, comment);
    const one = await rateOf(1, measuredMs, comment);
    const many = await rateOf(16, measuredMs, comment);
    row(target.name, one.rate.toFixed(0), many.rate.toFixed(0), fixed(many.rate / one.rate), many.p99Ms.toFixed(0));
  }
}

async function compareReads(targets: readonly Target[]): Promise<void> {
  const [first] = targets;
  if (first === undefined) return;
  const name = `reads-${randomBytes(3).toString("hex")}`;
  await first.http.json("POST", "/api/v1/user/repos", { name, auto_init: true });
  const rates: number[] = [];
  for (const used of [targets.slice(0, 1), targets]) {
    const read = (client: number) =>
      used[client % used.length]?.http.json("GET", `/api/v1/repos/${first.owner}/${name}/contents/README.md`) ?? Promise.resolve();
    await rateOf(8, 2_000, read);
    rates.push((await rateOf(8, measuredMs, read)).rate);
  }
  head("file contents", "one node, per s", "two nodes, per s", "factor");
  row("8 clients", rates[0]?.toFixed(0) ?? "", rates[1]?.toFixed(0) ?? "", fixed((rates[1] ?? 0) / (rates[0] ?? 1)));
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
  const { target: node } = await cluster.startNode();
  const alone = await startServer({ settings: { HEARTH_METRICS: "true" } });
  const one = await openTarget({ name: "SQLite", url: alone.url, token: alone.token, hasCounters: true, pid: alone.pid });
  try {
    if (chosen.has("requests")) await compareRequests(one, node, git, source);
    if (chosen.has("writers")) await compareWriters([one, node]);
    if (chosen.has("reads")) await compareReads([node, (await cluster.startNode()).target]);
    if (chosen.has("cold")) await compareClones(node, cluster, git, source);
    if (chosen.has("large")) await measureLarge(node, cluster, git);
  } finally {
    one.http.close();
    await alone.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
