import { setTimeout as sleep } from "node:timers/promises";
import { startReceiver } from "../test/kit/receiver.ts";
import { head, row } from "./markdown.ts";
import type { Cluster, ClusterNode } from "./node-cluster.ts";

const idleMs = 60_000;
/** Work after the start, such as due schedules. */
const startedMs = 20_000;

export async function countIdle(cluster: Cluster): Promise<void> {
  await sleep(startedMs);
  const before = await cluster.transactions();
  const began = performance.now();
  await sleep(idleMs);
  // The second count is a transaction itself, and so is the first one.
  const count = (await cluster.transactions()) - before - 1;
  head("idle nodes", "statements per s of each");
  row(cluster.nodeCount(), ((count * 1000) / (performance.now() - began) / cluster.nodeCount()).toFixed(2));
}

const rounds = 5;
const writers = 4;
const patienceMs = 60_000;

interface Outage {
  /** From the kill to the next acknowledged write through another node. */
  readonly writeMs: number;
  /** From the kill to the last webhook of the issues that the killed node has acknowledged. */
  readonly webhooksMs: number;
}

/** Issues are opened through both nodes until one of them is killed, and then through the other one. */
async function killOne(
  killed: ClusterNode,
  other: ClusterNode,
  receiverOf: { readonly url: string; readonly titles: () => Map<string, number> },
): Promise<Outage> {
  const { http, owner } = other.target;
  const name = `killed-${Date.now().toString(36)}`;
  await http.json("POST", "/api/v1/user/repos", { name });
  const config = { url: `${receiverOf.url}/${name}`, content_type: "json" };
  await http.json("POST", `/api/v1/repos/${owner}/${name}/hooks`, { type: "gitea", config, events: ["issues"], active: true });
  const acknowledged: { readonly title: string; readonly byKilled: boolean; readonly atMs: number }[] = [];
  let isOver = false;
  const write = async (client: number): Promise<void> => {
    for (let at = 0; !isOver; at += 1) {
      const node = client % 2 === 0 ? killed : other;
      const title = `${name} ${client} ${at}`;
      try {
        await node.target.http.json("POST", `/api/v1/repos/${owner}/${name}/issues`, { title });
        acknowledged.push({ title, byKilled: node === killed, atMs: performance.now() });
      } catch {
        if (node === killed) return;
      }
    }
  };
  const running = Array.from({ length: writers }, (_, client) => write(client));
  await sleep(1_000);
  const killedMs = performance.now();
  process.kill(killed.server.pid, "SIGKILL");
  await sleep(2_000);
  isOver = true;
  await Promise.all(running);
  const own = acknowledged.filter(({ byKilled }) => byKilled).map(({ title }) => title);
  for (const endMs = killedMs + patienceMs; performance.now() < endMs; await sleep(50)) if (own.every((title) => receiverOf.titles().has(title))) break;
  const arrivals = own.map((title) => receiverOf.titles().get(title) ?? Number.POSITIVE_INFINITY);
  return {
    writeMs: (acknowledged.find(({ byKilled, atMs }) => !byKilled && atMs > killedMs)?.atMs ?? Number.POSITIVE_INFINITY) - killedMs,
    webhooksMs: Math.max(0, ...arrivals.map((atMs) => atMs - killedMs)),
  };
}

export async function measureOutages(cluster: Cluster, survivor: ClusterNode): Promise<void> {
  await using receiver = await startReceiver();
  const titles = new Map<string, number>();
  receiver.answers = ({ body }) => {
    const { issue } = JSON.parse(body) as { readonly issue: { readonly title: string } };
    titles.set(issue.title, titles.get(issue.title) ?? performance.now());
    return { status: 200, body: "ok" };
  };
  head("a killed node", "next write through another node, ms", "last of its webhooks, s");
  for (let round = 1; round <= rounds; round += 1) {
    const killed = await cluster.startNode();
    const { writeMs, webhooksMs } = await killOne(killed, survivor, { url: receiver.url, titles: () => titles });
    row(`round ${round}`, writeMs.toFixed(0), (webhooksMs / 1000).toFixed(1));
  }
}
