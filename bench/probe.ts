import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { Worker } from "node:worker_threads";
import { percentile } from "./measure.ts";

/** Waiting times of a light request on a new connection, in milliseconds. */
export interface ProbeTimes {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface Probe {
  /** Resolves when all requests have an answer. */
  stop(): Promise<{ readonly server: ProbeTimes; readonly noise: ProbeTimes }>;
}

const everyMs = 40;

/** A bare server in a thread of its own: the machine causes the waiting times of its clients. */
const bareServer = `
  const { createServer } = require("node:http");
  const { parentPort } = require("node:worker_threads");
  const server = createServer((request, response) => response.end("x"));
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

/** Requests a version each 40 ms on a new connection, from the server and from a bare one, until it is stopped. */
export async function startProbe(url: string): Promise<Probe> {
  const worker = new Worker(bareServer, { eval: true });
  const [port] = (await once(worker, "message")) as [number];
  const times = { server: [] as number[], noise: [] as number[] };
  const requested: Promise<void>[] = [];
  const ask = async (address: string, waits: number[]): Promise<void> => {
    const startedMs = performance.now();
    const [response] = (await once(get(address, { agent: false }), "response")) as [IncomingMessage];
    await once(response.resume(), "end");
    waits.push(performance.now() - startedMs);
  };
  const timer = setInterval(() => requested.push(ask(`${url}/api/v1/version`, times.server), ask(`http://127.0.0.1:${port}/`, times.noise)), everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(requested);
      await worker.terminate();
      return { server: summary(times.server), noise: summary(times.noise) };
    },
  };
}

function summary(waits: readonly number[]): ProbeTimes {
  const sorted = waits.toSorted((left, right) => left - right);
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), max: sorted.at(-1) ?? 0 };
}
