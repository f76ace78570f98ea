import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { GitObject } from "../src/git/types.ts";
import { packOf, pushBody } from "../test/kit/raw-push.ts";
import { besideCells, besideHeads, measureBeside, printHead, printRow } from "./beside.ts";
import { openGitClient } from "./git-client.ts";
import { type HttpClient, openClient } from "./http-client.ts";
import { startLoad } from "./load.ts";
import { type MonitoredServer, startMonitoredServer } from "./monitored-server.ts";
import { openSource, type Source } from "./source.ts";

const usage = `npm run bench -- herds [--only cold,pushers] [--clients 500] [--pushers 32] [--seconds 40]

Sends herds to the built program and prints refusals, CPU ms for each request, packs of the repository, and the same columns as bench/fairness.ts.
  cold     clients that request pages of a repository that was just pushed: nine of ten are light, the others are commit lists, directories, files,
           blame, comparisons and archives
  pushers  clients that push a commit each to one branch; only one of them can win each time`;

const api = "/api/v1/repos/root1/herd";

/** Nine light requests for each page. */
function mixOf(source: Source): readonly string[] {
  const pages = [
    ...Array.from({ length: 20 }, (_, at) => `${api}/commits?limit=50&page=${at + 1}`),
    `${api}/contents`,
    `${api}/contents/${source.directory}`,
    "/root1/herd",
    `/root1/herd/src/branch/${source.defaultBranch}/${source.directory}`,
    `/root1/herd/blame/branch/${source.defaultBranch}/${source.file}`,
    `/root1/herd/commits/branch/${source.defaultBranch}`,
    "/root1/herd/graph",
    `${api}/compare/${source.older}...${source.tip}`,
    `${api}/archive/${source.defaultBranch}.tar.gz`,
  ];
  const light = ["/api/v1/version", api, `${api}/branches?limit=10`];
  return pages.flatMap((page) => [page, ...light, ...light, ...light]);
}

interface Herd {
  readonly requests: number;
  readonly refused: number;
  readonly perSecond: number;
}

async function runCold(server: MonitoredServer, source: Source, clients: number, seconds: number): Promise<Herd> {
  const load = await startLoad({ url: server.url, token: server.token, clients, paths: mixOf(source) });
  await delay(seconds * 1_000);
  const { answers, others, seconds: took } = await load.stop();
  return { requests: answers, refused: Object.values(others).reduce((sum, count) => sum + count, 0), perSecond: answers / took };
}

/** A commit without changes on top of another one. */
function commitOn(parentOid: string, treeOid: string, message: string): { readonly oid: string; readonly object: GitObject } {
  const person = "Bench <bench@example.org> 1704164645 +0000";
  const data = Buffer.from(`tree ${treeOid}\nparent ${parentOid}\nauthor ${person}\ncommitter ${person}\n\n${message}\n`);
  const oid = createHash("sha1").update(`commit ${data.length}\0`).update(data).digest("hex");
  return { oid, object: { oid, type: "commit", data } };
}

async function runPushers(http: HttpClient, treeOid: string, pushers: number, seconds: number): Promise<Herd> {
  const herd = { requests: 0, refused: 0 };
  const startedMs = performance.now();
  const pushAll = async (name: string): Promise<void> => {
    while (performance.now() - startedMs < seconds * 1_000) {
      const { commit } = await http.json<{ commit: { id: string } }>("GET", `${api}/branches/raced`);
      const { oid, object } = commitOn(commit.id, treeOid, `${name} ${herd.requests}`);
      const body = pushBody({ commands: [`${commit.id} ${oid} refs/heads/raced`], pack: packOf([object]) });
      const { body: answer } = await http.send("POST", "/root1/herd.git/git-receive-pack", body, "application/x-git-receive-pack-request");
      herd.requests += 1;
      if (answer.includes("ng refs/heads/raced")) herd.refused += 1;
    }
  };
  await Promise.all(Array.from({ length: pushers }, (_, at) => pushAll(`client ${at}`)));
  return { ...herd, perSecond: herd.requests / seconds };
}

/** Packs in all stores below a folder. */
const countPacks = (folder: string): number => readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith(".pack")).length;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      clients: { type: "string", default: "500" },
      pushers: { type: "string", default: "32" },
      seconds: { type: "string", default: "40" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) return void process.stdout.write(`${usage}\n`);
  const folder = mkdtempSync(join(tmpdir(), "hearth-herds-"));
  const data = join(folder, "server");
  mkdirSync(data);
  const server = await startMonitoredServer({ folder: data });
  const http = openClient(server.url, server.token);
  const seconds = Number(values.seconds);
  try {
    const git = openGitClient(folder);
    const source = await openSource(git);
    const treeOid = await git.run(["-C", source.folder, "rev-parse", "HEAD^{tree}"]);
    await http.json("POST", "/api/v1/user/repos", { name: "herd", default_branch: source.defaultBranch });
    const url = new URL("/root1/herd.git", server.url);
    Object.assign(url, { username: "root1", password: server.token });
    const refspecs = ["refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*", "HEAD:refs/heads/raced"];
    await git.run(["-C", source.folder, "push", "--quiet", url.href, ...refspecs]);
    const herds: Readonly<Record<string, () => Promise<Herd>>> = {
      cold: () => runCold(server, source, Number(values.clients), seconds),
      pushers: () => runPushers(http, treeOid, Number(values.pushers), seconds),
    };
    printHead(["herd", "requests", "per s", "refused", "CPU ms each", "packs", ...besideHeads]);
    const chosen = values.only?.split(",");
    for (const [name, run] of Object.entries(herds)) {
      if (chosen !== undefined && !chosen.includes(name)) continue;
      const beside = await measureBeside(server, run);
      const { requests, refused, perSecond } = beside.result;
      const cpuMs = (beside.cpuMs / requests).toFixed(2);
      const packs = countPacks(data);
      printRow([name, String(requests), perSecond.toFixed(0), String(refused), cpuMs, String(packs), ...besideCells(beside)]);
    }
  } finally {
    http.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
