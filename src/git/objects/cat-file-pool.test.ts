import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { openTestStores, type TestStores } from "../../../test/kit/git.ts";
import { polling } from "../../../test/kit/polling.ts";
import type { GitStore } from "../stores.ts";
import type { CatFileLimits } from "./cat-file-pool.ts";
import { newBlob } from "./format.ts";
import { readBlob } from "./objects.ts";
import { writeObjects } from "./write.ts";

const kits: TestStores[] = [];
afterEach(async () => {
  for (const kit of kits.splice(0)) await kit.close();
});

/** A cache of size zero, so that every read goes to a worker. */
async function open(catFile: Partial<CatFileLimits>): Promise<TestStores> {
  const kit = await openTestStores({ catFile, cacheBytes: 1 });
  kits.push(kit);
  return kit;
}

async function storesWithBlob(kit: TestStores, count: number, sizeBytes = 10): Promise<{ store: GitStore; oid: string }[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const store = kit.fresh();
      const blob = newBlob("sha1", Buffer.alloc(sizeBytes, `${i}`));
      await writeObjects(store, [blob]);
      return { store, oid: blob.oid };
    }),
  );
}

/** Object workers of this process, as seen by the operating system: children of the process that starts git. */
function liveWorkers(): number[] {
  const parents = new Map<number, number>();
  const workers: number[] = [];
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      parents.set(Number(name), Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "utf8"))?.[1]));
      if (readFileSync(`/proc/${name}/cmdline`, "utf8").includes("--batch-command")) workers.push(Number(name));
    } catch {
      // The process has ended.
    }
  }
  return workers.filter((pid) => parents.get(parents.get(pid) ?? 0) === process.pid);
}

const until = (condition: () => boolean): Promise<void> => expect.poll(condition, polling).toBe(true);

describe("the pool of object workers", () => {
  test("replaces a worker that has reached its age, although requests go on", async () => {
    const kit = await open({ workers: 2, perStore: 1, ageMs: 0 });
    const [{ store, oid }] = (await storesWithBlob(kit, 1)) as [{ store: GitStore; oid: string }];
    const before = kit.stores.counters.processes;
    for (let round = 0; round < 3; round += 1) expect((await readBlob(store, oid, 100))?.data).toBeDefined();
    expect(kit.stores.counters.processes - before).toBe(3);
  });

  test("keeps a worker per store and evicts the least recently used one for another store", async () => {
    const kit = await open({ workers: 2, perStore: 1 });
    const [a, b, c] = await storesWithBlob(kit, 3);
    if (!a || !b || !c) throw new Error("no stores");
    const read = ({ store, oid }: typeof a) => readBlob(store, oid, 100);
    await read(a);
    await read(b);
    await read(a);
    await read(b);
    expect(kit.stores.counters.processes).toBe(2);
    // b was used last, so a is evicted for c.
    await read(c);
    expect(kit.stores.counters.processes).toBe(3);
    await read(b);
    expect(kit.stores.counters.processes).toBe(3);
    await read(a);
    expect(kit.stores.counters.processes).toBe(4);
    await until(() => kit.stores.counters.running === 2);
  });

  test("reads the objects of a page with one worker, and thousands of objects with two", async () => {
    const kit = await open({});
    const [{ store, oid }] = (await storesWithBlob(kit, 1)) as [{ store: GitStore; oid: string }];
    const readMany = (count: number) => Promise.all(Array.from({ length: count }, () => readBlob(store, oid, 100)));
    await readMany(51);
    expect(kit.stores.counters.processes).toBe(1);
    expect((await readMany(4_000)).every((blob) => blob?.data !== undefined)).toBe(true);
    expect(kit.stores.counters.processes).toBe(2);
  });

  test("admits a store when all workers are busy, and answers all requests", async () => {
    const kit = await open({ workers: 1, perStore: 1 });
    const stores = await storesWithBlob(kit, 4, 200_000);
    const order: number[] = [];
    await Promise.all(
      stores.flatMap(({ store, oid }, index) =>
        Array.from({ length: 20 }, async () => {
          expect((await readBlob(store, oid, 1 << 20))?.sizeBytes).toBe(200_000);
          order.push(index);
        }),
      ),
    );
    expect(order.toSorted()).toEqual([0, 1, 2, 3].flatMap((index) => Array(20).fill(index)));
    expect(kit.stores.counters.running).toBeLessThanOrEqual(2);
  });

  test("does not let a constantly busy store block the others", async () => {
    const kit = await open({ workers: 1, perStore: 1 });
    const [busy, other] = await storesWithBlob(kit, 2, 100_000);
    if (!busy || !other) throw new Error("no stores");
    let stop = false;
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!stop) await readBlob(busy.store, busy.oid, 1 << 20);
      }),
    );
    for (let i = 0; i < 5; i++) expect((await readBlob(other.store, other.oid, 1 << 20))?.sizeBytes).toBe(100_000);
    stop = true;
    await load;
  });

  test("rejects requests when too many are waiting", async () => {
    const kit = await open({ workers: 1, perStore: 1, waiting: 1 });
    const [a, b] = await storesWithBlob(kit, 2, 100_000);
    if (!a || !b) throw new Error("no stores");
    const results = await Promise.allSettled([a, b, b].map(({ store, oid }) => readBlob(store, oid, 1 << 20)));
    expect(results.map((result) => (result.status === "fulfilled" ? "read" : result.reason.options.meta.reason))).toEqual(["read", "read", "queue_full"]);
  });

  test("ends an idle worker", async () => {
    const kit = await open({ idleMs: 30 });
    const [a] = await storesWithBlob(kit, 1);
    if (!a) throw new Error("no store");
    await readBlob(a.store, a.oid, 100);
    await until(() => kit.stores.counters.running === 0);
    expect((await readBlob(a.store, a.oid, 100))?.sizeBytes).toBe(10);
    expect(kit.stores.counters.processes).toBe(2);
  });

  test("replaces killed workers without losing a request", async () => {
    const kit = await open({ perStore: 2 });
    const [a] = await storesWithBlob(kit, 1, 50_000);
    if (!a) throw new Error("no store");
    let done = 0;
    const reads = Promise.all(
      Array.from({ length: 400 }, async () => {
        const blob = await readBlob(a.store, a.oid, 1 << 20);
        done += 1;
        return blob?.data?.length;
      }),
    );
    await until(() => done > 0);
    const victims = liveWorkers();
    expect(victims.length).toBeGreaterThan(0);
    for (const pid of victims) process.kill(pid, "SIGKILL");
    expect(new Set(await reads)).toEqual(new Set([50_000]));
  });

  test("rejects requests and leaves no process after it is closed", async () => {
    const kit = await open({});
    const [a] = await storesWithBlob(kit, 1, 1_000_000);
    if (!a) throw new Error("no store");
    const reading = Array.from({ length: 10 }, () => readBlob(a.store, a.oid, 1 << 20));
    const results = Promise.allSettled(reading);
    await until(() => kit.stores.counters.running > 0);
    await kit.stores.close();
    expect((await results).every((result) => result.status === "fulfilled" || result.reason.code === "unavailable")).toBe(true);
    expect(kit.stores.counters.running).toBe(0);
    await expect(readBlob(a.store, a.oid, 1 << 20)).rejects.toMatchObject({ code: "unavailable" });
  });
});
