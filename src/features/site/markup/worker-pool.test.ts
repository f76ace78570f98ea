import { afterAll, describe, expect, test } from "vitest";
import { createLogRecorder } from "../../../../test/kit/logs.ts";
import { createPool, type Pool } from "./worker-pool.ts";

// A worker whose jobs block its thread: with the processor ("busy") or without it ("asleep"), so that it cannot report its CPU time.
const blocking = `
  import { spawnSync } from "node:child_process";
  import { parentPort } from "node:worker_threads";
  parentPort.on("message", ({ kind, ms }) => {
    if (kind === "asleep") spawnSync("sleep", [String(ms / 1000)]);
    else for (;;);
    parentPort.postMessage({ kind: "done", result: kind, cpuMs: 0 });
  });
  parentPort.postMessage({ kind: "ready", cpuMs: 0 });
`;
const file = new URL(`data:text/javascript,${encodeURIComponent(blocking)}`);
const open: Pool<unknown>[] = [];
const start = (patience: number): Pool<{ readonly kind: "busy" } | { readonly kind: "asleep"; readonly ms: number }> => {
  const pool = createPool<unknown>({ log: createLogRecorder() }, file, { size: 1, timeoutMs: 300, patience });
  open.push(pool);
  return pool;
};

afterAll(() => Promise.all(open.map((pool) => pool.close())));

describe("time limits of worker threads", () => {
  test("a job whose thread does not run is not given up, because it uses no CPU time", async () => {
    expect(await start(Number.POSITIVE_INFINITY).run({ kind: "asleep", ms: 1_500 })).toEqual({ kind: "done", value: "asleep" });
  });

  test("a job whose thread does not run for too long is unavailable", async () => {
    expect(await start(3).run({ kind: "asleep", ms: 4_000 })).toEqual({ kind: "unavailable", reason: "the machine is too busy" });
  });

  test("a job that uses more CPU time than its limit is given up", async () => {
    expect(await start(Number.POSITIVE_INFINITY).run({ kind: "busy" })).toEqual({ kind: "given up", reason: "it took longer than 300 ms" });
  });
});
