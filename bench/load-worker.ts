import { parentPort, workerData } from "node:worker_threads";
import { seededRandom } from "../test/kit/random.ts";
import { type HttpClient, openClient } from "./http-client.ts";

// Started by `bench/load.ts`. Posts a message when each client has its first answer, and the totals after it is asked to stop.

export interface LoadOptions {
  readonly url: string;
  readonly token: string;
  readonly clients: number;
  /** Requested in turns, each time in the same pseudorandom order. */
  readonly paths: readonly string[];
}

export interface LoadTotals {
  readonly seconds: number;
  readonly answers: number;
  /** Answers by status, without 200. */
  readonly others: Readonly<Record<number, number>>;
}

const { url, token, clients, paths } = workerData as LoadOptions;
const random = seededRandom(1);
const startedMs = performance.now();
const others: Record<number, number> = {};
let answers = 0;
let isStopped = false;

const sendOne = async (http: HttpClient): Promise<void> => {
  const { status } = await http.send("GET", paths[random(paths.length)] ?? "/");
  answers += 1;
  if (status !== 200) others[status] = (others[status] ?? 0) + 1;
};

const openings: Promise<void>[] = [];
const running = Array.from({ length: clients }, async () => {
  // Its own connection: a shared agent opens another one while the previous one is not free yet.
  const http = openClient(url, token, 1);
  const opening = sendOne(http);
  openings.push(opening);
  await opening;
  while (!isStopped) await sendOne(http);
  http.close();
});
parentPort?.once("message", () => {
  isStopped = true;
});
await Promise.all(openings);
parentPort?.postMessage("opened");
await Promise.all(running);
parentPort?.postMessage({ seconds: (performance.now() - startedMs) / 1_000, answers, others } satisfies LoadTotals);
