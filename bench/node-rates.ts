import { randomBytes } from "node:crypto";
import { limitCpu } from "./cpu-share.ts";
import { fixed, head, row } from "./markdown.ts";
import type { Cluster, ClusterNode } from "./node-cluster.ts";
import { treeCpuMs } from "./process-tree.ts";
import type { Target } from "./target.ts";

const measuredMs = 6_000;
const warmUpMs = 2_000;
const clientCounts = [1, 2, 4, 8, 16] as const;
const most = 16;

interface Rate {
  readonly perSecond: number;
  readonly p99Ms: number;
}

type Send = (client: number, at: number) => Promise<unknown>;

/** Requests per second of some clients, each with its next request after its answer. */
async function rateOf(clients: number, durationMs: number, send: Send): Promise<Rate> {
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
  return { perSecond: (times.length * 1000) / (performance.now() - began), p99Ms: times[Math.floor(times.length * 0.99)] ?? 0 };
}

/** A writer comments on an issue of its own. @param repositories the writers share one, or each has its own */
async function openWriters({ http, owner }: Target, repositories: "shared" | "own"): Promise<Send> {
  const prefix = `writers-${randomBytes(3).toString("hex")}`;
  const paths: string[] = [];
  for (let at = 0; at < most; at += 1) {
    const name = repositories === "shared" ? prefix : `${prefix}-${at}`;
    if (repositories === "own" || at === 0) await http.json("POST", "/api/v1/user/repos", { name });
    const { number } = await http.json<{ number: number }>("POST", `/api/v1/repos/${owner}/${name}/issues`, { title: `${at}` });
    paths.push(`/api/v1/repos/${owner}/${name}/issues/${number}/comments`);
  }
  return (client, at) => http.json("POST", paths[client] ?? "", { body: `Comment ${at}.` });
}

/** @param writers name and server of each row */
export async function compareWriters(cluster: Cluster, writers: readonly (readonly [string, Target])[]): Promise<void> {
  const counts = clientCounts.map((count) => `${count} clients`);
  head("comments per second of", ...counts, "factor of 16", "p99 ms of 1", "p99 ms of 16", "CPU ms of the server", "collisions for a comment of 16");
  for (const [name, target] of writers) {
    for (const repositories of ["shared", "own"] as const) {
      const comment = await openWriters(target, repositories);
      await rateOf(4, warmUpMs, comment);
      const rates: Rate[] = [];
      let [cpuMs, collisions] = [0, 0];
      for (const count of clientCounts) {
        const before = target.pid === undefined ? 0 : treeCpuMs(target.pid);
        const rollbacks = await cluster.rollbacks();
        const rate = await rateOf(count, measuredMs, comment);
        const comments = (rate.perSecond * measuredMs) / 1000;
        collisions = ((await cluster.rollbacks()) - rollbacks) / comments;
        cpuMs = target.pid === undefined ? 0 : (treeCpuMs(target.pid) - before) / comments;
        rates.push(rate);
      }
      const [one, many] = [rates[0], rates.at(-1)];
      row(
        `${name}, ${repositories === "shared" ? "one repository" : "one repository each"}`,
        ...rates.map(({ perSecond }) => perSecond.toFixed(0)),
        fixed((many?.perSecond ?? 0) / (one?.perSecond ?? 1)),
        one?.p99Ms.toFixed(0) ?? "",
        many?.p99Ms.toFixed(0) ?? "",
        fixed(cpuMs),
        fixed(collisions),
      );
    }
  }
}

/** Each node gets this share of a core, so that the load and PostgreSQL have the others. */
const nodeShare = 0.2;
/** The same for each node, so that requests that wait together share packets to the same extent. */
const readersPerNode = 16;

export async function compareReads(cluster: Cluster, nodes: readonly ClusterNode[]): Promise<void> {
  const [first] = nodes;
  if (first === undefined) return;
  const name = `reads-${randomBytes(3).toString("hex")}`;
  await first.target.http.json("POST", "/api/v1/user/repos", { name, auto_init: true });
  const path = `/api/v1/repos/${first.target.owner}/${name}/contents/README.md`;
  const measured = async (used: readonly ClusterNode[]) => {
    const read: Send = (client) => used[client % used.length]?.target.http.json("GET", path) ?? Promise.resolve();
    await rateOf(readersPerNode * used.length, warmUpMs, read);
    const cpuNow = () => ({ nodes: used.reduce((sum, { server }) => sum + treeCpuMs(server.pid), 0), database: cluster.databaseCpuMs() });
    const before = cpuNow();
    const { perSecond } = await rateOf(readersPerNode * used.length, measuredMs, read);
    const after = cpuNow();
    const requests = (perSecond * measuredMs) / 1000;
    return { perSecond, nodeCpuMs: (after.nodes - before.nodes) / requests, databaseCpuMs: (after.database - before.database) / requests };
  };
  head("file contents", "one node, per s", "two nodes, per s", "factor", "node CPU ms of one", "of two", "PostgreSQL CPU ms of one", "of two");
  const compare = async (title: string): Promise<void> => {
    const [one, two] = [await measured(nodes.slice(0, 1)), await measured(nodes)];
    const rates = [one.perSecond.toFixed(0), two.perSecond.toFixed(0), fixed(two.perSecond / one.perSecond)];
    row(title, ...rates, fixed(one.nodeCpuMs), fixed(two.nodeCpuMs), fixed(one.databaseCpuMs), fixed(two.databaseCpuMs));
  };
  await compare(`${readersPerNode} clients for each node; nodes, PostgreSQL and the load share the cores`);
  await using limits = new AsyncDisposableStack();
  for (const { server } of nodes) {
    const limit = limitCpu(server.pid, nodeShare);
    if (limit === undefined) return console.log(`The nodes cannot be limited to ${nodeShare} of a core: this needs permission to create control groups.`);
    limits.use(limit);
  }
  await compare(`${readersPerNode} clients for each node; each node has ${nodeShare} of a core`);
}
