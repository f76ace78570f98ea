import { Agent, request as httpRequest } from "node:http";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { seededRandom } from "../test/kit/random.ts";

// Started by `bench/crawlers.ts`: clients that each send their next request, from another address, when they have an answer.

export interface CrawlOptions {
  readonly url: string;
  readonly clients: number;
  readonly addresses: number;
  /** Prefixes of paths with `OID` in place of an object id. */
  readonly paths: readonly string[];
  readonly oids: readonly string[];
}

export interface CrawlTotals {
  readonly seconds: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Refusals without `Retry-After`. */
  readonly unexplained: number;
}

const { url, clients, addresses, paths, oids } = workerData as CrawlOptions;
// This thread only: the crawlers are on other machines in reality, so they must not take the time of the server.
setPriority(19);
const random = seededRandom(7);
const base = new URL(url);
const statuses: Record<number, number> = {};
let unexplained = 0;
let isStopped = false;

const addressOf = (at: number): string => `10.${(at >> 8) & 255}.${at & 255}.${1 + (at % 250)}`;

function ask(agent: Agent): Promise<void> {
  const path = (paths[random(paths.length)] ?? "/").replaceAll("OID", () => oids[random(oids.length)] ?? "");
  return new Promise((resolve, reject) => {
    const headers = { "x-forwarded-for": addressOf(random(addresses)), accept: "text/html" };
    const sent = httpRequest({ agent, host: base.hostname, port: base.port, path, headers }, (response) => {
      const status = response.statusCode ?? 0;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if ((status === 429 || status === 503) && response.headers["retry-after"] === undefined) unexplained += 1;
      response.resume();
      response.once("close", resolve);
    });
    sent.once("error", (error) => (isStopped ? resolve() : reject(error)));
    sent.end();
  });
}

const startedMs = performance.now();
const agents = Array.from({ length: clients }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
const running = agents.map(async (agent) => {
  while (!isStopped) await ask(agent);
});
parentPort?.once("message", () => {
  isStopped = true;
  for (const agent of agents) agent.destroy();
});
parentPort?.postMessage("started");
await Promise.all(running);
parentPort?.postMessage({ seconds: (performance.now() - startedMs) / 1_000, statuses, unexplained } satisfies CrawlTotals);
