import { expect, test } from "vitest";
import { createUpkeep } from "./upkeep.ts";

const never = new AbortController().signal;

/** A budget with a clock that only its pauses move. */
function openUpkeep({ isIdle = () => false }: { readonly isIdle?: () => boolean } = {}) {
  const counters = { maintenanceCpuMs: 0 };
  let atMs = 1_000_000;
  const upkeep = createUpkeep(counters, {
    nowMs: () => atMs,
    observeIdle: () => isIdle,
    pause: async (ms, signal) => {
      signal.throwIfAborted();
      atMs += ms;
    },
  });
  const begun: number[] = [];
  return {
    upkeep,
    begun,
    use: (storeId: number, cpuMs: number, signal = never) =>
      upkeep.run({ kind: "tidy", storeId }, signal, async () => {
        begun.push(atMs - 1_000_000);
        counters.maintenanceCpuMs += cpuMs;
      }),
  };
}

test("small runs do not wait, and the runs after a large one wait until a tenth of the time is theirs", async () => {
  const { begun, use } = openUpkeep();
  for (let at = 0; at < 5; at += 1) await use(at, 500);
  expect(begun).toEqual([0, 0, 0, 0, 0]);
  await use(6, 14_000);
  await use(7, 1_000);
  // 13.5 s too much were used: a tenth of 135 s.
  expect(begun.at(-1)).toBe(136_000);
  await use(8, 0);
  expect(begun.at(-1)).toBe(146_000);
});

test("an idle server waits only for the observation that it is idle", async () => {
  const { begun, use } = openUpkeep({ isIdle: () => true });
  for (let at = 0; at < 4; at += 1) await use(at, 20_000);
  expect(begun).toEqual([0, 1_000, 2_000, 3_000]);
});

test("a wait ends with its signal, and the work does not start", async () => {
  const stopped = new AbortController();
  const { begun, use, upkeep } = openUpkeep({
    isIdle: () => {
      if (begun.length === 1) stopped.abort(new Error("the server stops"));
      return false;
    },
  });
  await use(1, 60_000);
  await expect(use(2, 1, stopped.signal)).rejects.toThrow("the server stops");
  expect(begun).toHaveLength(1);
  expect(upkeep.state().current).toBeUndefined();
});

test("shows the current task and the last ten runs with their CPU time, also of one that failed", async () => {
  const { upkeep, use } = openUpkeep();
  for (let at = 1; at <= 12; at += 1) await use(at, at);
  const failing = upkeep.run({ kind: "collect", storeId: 13 }, never, async () => {
    expect(upkeep.state().current).toEqual({ kind: "collect", storeId: 13, isWaiting: false });
    throw new Error("disk full");
  });
  await expect(failing).rejects.toThrow("disk full");
  const { current, runs, cpuMs } = upkeep.state();
  expect({ current, cpuMs }).toEqual({ current: undefined, cpuMs: 78 });
  expect(runs.map(({ storeId }) => storeId)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4]);
  expect(runs[1]).toMatchObject({ kind: "tidy", cpuMs: 12 });
});
