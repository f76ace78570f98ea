import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openClient } from "./http-client.ts";
import { measure, percentile } from "./measure.ts";
import { readCounter, type Target } from "./target.ts";

/** A server that counts requests and publishes two statements and half a process per request. */
async function startTarget(name: string): Promise<{ readonly target: Target; readonly seen: string[] }> {
  const seen: string[] = [];
  let served = 0;
  const server = createServer((request, response) => {
    if (request.url === "/metrics") {
      response.end(
        `# HELP x\nhearth_db_statements_total ${served * 2}\nhearth_git_processes_total{kind="a"} ${served / 4}\nhearth_git_processes_total{kind="b"} ${served / 4}\n`,
      );
      return;
    }
    served += 1;
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = openClient(url, "secret");
  // Represents the server process: the test's own process is never idle.
  const idle = spawn("cat", { stdio: ["pipe", "ignore", "inherit"] });
  onTestFinished(() => {
    http.close();
    server.close();
    idle.stdin.end();
  });
  return { target: { name, url, token: "secret", http, owner: "owner", hasCounters: name !== "rival", pid: idle.pid }, seen };
}

/** These targets do no work after their responses. */
const soon = { quietMs: 100 };

test("measures contenders in alternating rounds, with unique indexes and counters per operation", async () => {
  const events: string[] = [];
  const contender = async (name: string) => {
    const { target, seen } = await startTarget(name);
    const run = async (index: number): Promise<void> => {
      await target.http.json("GET", `/${index}`);
    };
    return { seen, target, operation: { prepare: async (round: number) => void events.push(`${name}${round}`), run } };
  };
  const [a, b] = [await contender("a"), await contender("rival")];
  const [result, other] = await measure([a, b], { ...soon, rounds: 2, roundMs: 60_000, roundOperations: 10, concurrency: 4 });

  expect(events).toEqual(["a0", "rival0", "a1", "rival1"]);
  expect(a.seen.toSorted()).toEqual(Array.from({ length: 20 }, (_, index) => `GET /${index} token secret`).toSorted());
  expect(b.seen).toHaveLength(20);
  expect(result).toMatchObject({ operations: 20, statements: 2, processes: 0.5 });
  expect(other).toMatchObject({ operations: 20, statements: undefined, processes: undefined });
  expect(result?.p50Ms).toBeGreaterThan(0);
  expect(result?.p99Ms).toBeGreaterThanOrEqual(result?.p50Ms ?? 0);
  expect(result?.cpuMs).toBeGreaterThanOrEqual(0);
});

test("ends a round after its time, with at least one operation", async () => {
  const { target } = await startTarget("a");
  const run = async (): Promise<void> => void (await target.http.send("GET", "/"));
  const [result] = await measure([{ target, operation: { run } }], { ...soon, rounds: 3, roundMs: 0, roundOperations: 100, concurrency: 1 });
  expect(result?.operations).toBe(3);
});

test("does not count the operations of the warm-up", async () => {
  const { target, seen } = await startTarget("a");
  const run = async (index: number): Promise<void> => void (await target.http.send("GET", `/${index}`));
  const [result] = await measure([{ target, operation: { run } }], { ...soon, warmUpMs: 1, rounds: 2, roundMs: 60_000, roundOperations: 5, concurrency: 1 });
  expect(result?.operations).toBe(10);
  expect(seen.length).toBeGreaterThan(10);
  expect(new Set(seen).size).toBe(seen.length);
});

test("rejects with the error of a failed operation", async () => {
  const { target } = await startTarget("a");
  const run = async (): Promise<void> => {
    throw new Error("GET /x answered 404");
  };
  await expect(measure([{ target, operation: { run } }], { ...soon, rounds: 1, roundMs: 1, roundOperations: 1, concurrency: 1 })).rejects.toThrow(
    "answered 404",
  );
});

test("returns percentiles that occur among the values", () => {
  const values = Array.from({ length: 200 }, (_, at) => at + 1);
  expect([percentile(values, 0.5), percentile(values, 0.99), percentile(values, 1), percentile([7], 0.5)]).toEqual([100, 198, 200, 7]);
  expect(percentile([], 0.5)).toBeNaN();
});

test("returns undefined for a counter that is not published", () => {
  expect(readCounter("a_total 3\na_total_more 5\n", "a_total")).toBe(3);
  expect(readCounter("b_total 3\n", "a_total")).toBeUndefined();
});
