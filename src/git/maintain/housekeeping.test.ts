import { randomBytes } from "node:crypto";
import { readdir, rename, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { addLoose, type ClientRepository, createClient, importObjects, openTestStores, showRefs, type TestStores } from "../../../test/kit/git.ts";
import { countCommits, listCommitOids } from "../history/log.ts";
import { hashObject, newObject } from "../objects/hash.ts";
import { readBlob, readCommit } from "../objects/objects.ts";
import { writeObjects } from "../objects/write.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import {
  collectGarbage,
  type HousekeepingOptions,
  inspectStore,
  needsBitmap,
  needsRepack,
  repackNew,
  verifyStore,
  writeBitmap,
  writeCommitGraph,
} from "./housekeeping.ts";

let kit: TestStores;
const clients: ClientRepository[] = [];

beforeAll(async () => {
  kit = await openTestStores();
});

afterAll(() => kit.close());

afterEach(() => {
  for (const client of clients.splice(0)) client.remove();
});

/** A store after fourteen pushes. */
async function pushedTo(format: "sha1" | "sha256" = "sha1"): Promise<{ store: GitStore; client: ClientRepository; commits: Oid[]; tip: Oid }> {
  const store = kit.fresh(format);
  const client = createClient(format);
  clients.push(client);
  const commits: Oid[] = [];
  for (let push = 0; push < 14; push++) {
    commits.push(client.commit({ "a.txt": `${push}\n`, [`d/${push}.txt`]: `${push}\n` }));
    await importObjects(store, client, commits.slice(-1));
  }
  const tip = commits.at(-1) ?? "";
  return { store, client, commits, tip };
}

const at = (store: GitStore, oid: Oid) => showRefs(store, { "refs/heads/main": oid });
/** Collects garbage with the first tip as the only branch. */
const collect = (store: GitStore, tipOids: readonly Oid[], options: HousekeepingOptions = {}): Promise<void> =>
  collectGarbage(store, async (work) => work(await at(store, tipOids[0] ?? "")), { tipOids, sinceMs: 1 }, options);

async function allReadable(store: GitStore, commits: readonly Oid[]): Promise<boolean> {
  const reader = kit.stores.store(store.id, store.format);
  const found = await Promise.all(commits.map(async (oid) => (await readCommit(reader, oid)) !== undefined));
  return found.every(Boolean) && (await countCommits(reader, { tipOids: commits.slice(-1) })) === commits.length;
}

const packFiles = async (store: GitStore): Promise<string[]> => (await readdir(join(store.objectsPath, "pack"))).filter((name) => name.endsWith(".pack"));

async function makeOld(directory: string, pattern: RegExp): Promise<void> {
  const old = new Date(Date.now() - 15 * 24 * 60 * 60 * 1000);
  for (const name of await readdir(directory)) if (pattern.test(name)) await utimes(join(directory, name), old, old);
}

describe("housekeeping of a store", () => {
  test("measures it without a process", async () => {
    const empty = kit.fresh();
    expect(await inspectStore(empty)).toEqual({ looseObjects: 0, packs: 0, sizeBytes: 0, packBytes: 0, unmappedBytes: 0, hasCommitGraph: false });
    const { store } = await pushedTo();
    addLoose(store, "loose");
    const before = kit.stores.counters.processes;
    const shape = await inspectStore(store);
    expect(shape).toMatchObject({ looseObjects: 1, packs: 14, hasCommitGraph: false });
    expect(shape.sizeBytes).toBeGreaterThan(14 * 1000);
    expect(needsRepack(shape)).toBe(true);
    expect(kit.stores.counters.processes).toBe(before);
  });

  for (const format of ["sha1", "sha256"] as const) {
    test(`repacks it during reads and writes without losing objects (${format})`, async () => {
      const { store, client, commits, tip } = await pushedTo(format);
      const single = newObject(format, "blob", Buffer.from("on its way into a transaction"));
      await writeObjects(store, [single]);
      const loose = addLoose(store, "of an operator");
      const readers = (async () => {
        for (let round = 0; round < 10; round++) expect(await listCommitOids(store, { tipOids: [tip], limit: 100 })).toHaveLength(14);
      })();
      await repackNew(await at(store, tip));
      await readers;
      const shape = await inspectStore(store);
      expect(shape.packs).toBeLessThan(6);
      expect(needsRepack(shape)).toBe(false);
      expect(await allReadable(store, commits)).toBe(true);
      expect((await readBlob(store, single.oid, 100))?.data?.toString()).toBe("on its way into a transaction");
      const next = client.commit({ "a.txt": "next\n" });
      await Promise.all([importObjects(store, client, [next]), collect(store, [tip])]);
      expect(await allReadable(store, [...commits, next])).toBe(true);
      for (const oid of [single.oid, loose]) expect((await readBlob(kit.stores.store(store.id, format), oid, 100))?.data).toBeDefined();
      expect(await verifyStore(await at(store, tip))).toEqual({ sound: true, problems: [] });
    });
  }

  test("removes unreachable objects after two weeks, but not earlier", async () => {
    for (const old of [false, true]) {
      const { store, client, commits, tip } = await pushedTo();
      client.git("checkout", "-q", "-f", "-b", "gone");
      const gone = client.commit({ "secret.txt": "gone\n" });
      await importObjects(store, client, [gone]);
      const packs = join(store.objectsPath, "pack");
      if (old) await makeOld(packs, /^pack-/);
      await collect(store, [tip]);
      const found = await listCommitOids(store, { tipOids: [gone], limit: 1 }).catch(() => []);
      expect(found).toEqual(old ? [] : [gone]);
      // One pack of reachable objects, and one of unreachable ones.
      expect(await packFiles(store)).toHaveLength(old ? 1 : 2);
      expect((await readdir(packs)).filter((name) => name.endsWith(".bitmap"))).toHaveLength(1);
      expect(await allReadable(store, commits)).toBe(true);
    }
  });

  test("removes incomplete packs left by a crash, but not those in transit", async () => {
    const { store, commits, tip } = await pushedTo();
    const packs = join(store.objectsPath, "pack");
    const onItsWay = "pack-1111111111111111111111111111111111111111.idx";
    await writeFile(join(packs, onItsWay), "index");
    await collect(store, [tip]);
    expect(await readdir(packs)).toContain(onItsWay);
    await writeFile(join(packs, "pack-2222222222222222222222222222222222222222.pack"), "pack");
    const inTwoHours = { now: () => Date.now() + 2 * 60 * 60 * 1000 };
    await repackNew(await at(store, tip), { clock: inTwoHours, beforeSecondLook: async () => {} });
    await collect(store, [tip], { clock: inTwoHours, beforeSecondLook: async () => {} });
    expect((await readdir(packs)).filter((name) => /1111|2222/.test(name))).toEqual([]);
    expect(await allReadable(store, commits)).toBe(true);
  });

  test("keeps an incomplete pack in transit if the system time jumps ahead", async () => {
    const { store, client, commits, tip } = await pushedTo();
    const packs = join(store.objectsPath, "pack");
    commits.push(client.commit({ later: "x" }));
    const [whole = ""] = (await readdir(packs)).filter((name) => name.endsWith(".idx"));
    const movedPath = join(packs, "..", whole);
    await rename(join(packs, whole), movedPath);
    const inAYear = { now: () => Date.now() + 400 * 86_400_000 };
    // Its index arrives between the two looks.
    await collect(store, [tip], { clock: inAYear, beforeSecondLook: () => rename(movedPath, join(packs, whole)) });
    expect(await allReadable(store, commits.slice(0, -1))).toBe(true);
  });

  test("maintains a commit graph that answers queries by path", async () => {
    const { store, client, commits, tip } = await pushedTo();
    await writeCommitGraph(store, [commits[9] ?? ""]);
    expect((await inspectStore(store)).hasCommitGraph).toBe(true);
    await writeCommitGraph(store, [tip]);
    expect(await listCommitOids(store, { tipOids: [tip], path: "d/3.txt", limit: 10 })).toEqual([commits[3]]);
    client.git("tag", "-a", "-m", "tagged", "v1", tip);
    const tag = client.git("rev-parse", "v1");
    await importObjects(store, client, [tag]);
    await writeCommitGraph(store, [tag, tip]);
    await collect(store, [tip, tag]);
    expect(await listCommitOids(store, { tipOids: [tip], path: "d/3.txt", limit: 10 })).toEqual([commits[3]]);
    expect(await verifyStore(await at(store, tip))).toMatchObject({ sound: true });
  });

  test("writes a bitmap once the store has doubled, and clones use it while packs are added and combined", async () => {
    const { store, client, commits, tip } = await pushedTo();
    expect(needsBitmap(await inspectStore(store))).toBe(false);
    commits.push(client.commit({ noise: randomBytes(1_200_000) }));
    await importObjects(store, client, [commits.at(-1) ?? ""]);
    expect(needsBitmap(await inspectStore(store))).toBe(true);
    await writeBitmap(await at(store, tip));
    const mapped = await inspectStore(store);
    expect(mapped.unmappedBytes).toBe(0);
    expect(needsBitmap(mapped)).toBe(false);

    // A restored copy has its files in any order.
    const directory = join(store.objectsPath, "pack");
    for (const name of (await readdir(directory)).sort((one, other) => Number(other.endsWith(".bitmap")) - Number(one.endsWith(".bitmap")))) {
      await rename(join(directory, name), join(directory, `${name}.copy`));
      await rename(join(directory, `${name}.copy`), join(directory, name));
    }
    expect((await inspectStore(store)).unmappedBytes).toBe(0);

    commits.push(client.commit({ more: "more" }));
    await importObjects(store, client, commits.slice(-1));
    expect(needsBitmap(await inspectStore(store))).toBe(false);
    expect(await allReadable(store, commits)).toBe(true);
    await repackNew(await at(store, tip));
    expect(await allReadable(store, commits)).toBe(true);
    await collect(store, commits.slice(-1));
    expect((await inspectStore(store)).unmappedBytes).toBe(0);
    expect(await readdir(join(store.objectsPath, "info"))).not.toContain("packs");
    expect(await allReadable(store, commits)).toBe(true);
    expect(await verifyStore(await at(store, tip))).toEqual({ sound: true, problems: [] });
  });

  test("detects a corrupt store", async () => {
    const { store, tip } = await pushedTo();
    expect(await verifyStore(await at(store, tip))).toEqual({ sound: true, problems: [] });
    await collect(store, [tip]);
    const lost = hashObject("sha1", "blob", Buffer.from("13\n"));
    const { sound, problems } = await verifyStore(await at(store, lost.replace(/^./, "0")));
    expect(sound).toBe(false);
    expect(problems.join("\n")).toContain("refs/heads/main");
  });

  test("accepts the harmless faults of old histories that a push may contain", async () => {
    const { store, client, tip } = await pushedTo();
    const tree = client.git("rev-parse", `${tip}^{tree}`);
    const raw = `tree ${tree}\nparent ${tip}\nauthor A <a@example.com> 1234567890 +051800\ncommitter A <a@example.com> 1234567890 +0000\n\nold\n`;
    const old = client.pipe(raw, "hash-object", "-t", "commit", "-w", "--stdin", "--literally").toString().trim();
    await importObjects(store, client, [old]);
    expect(await verifyStore(await at(store, old))).toEqual({ sound: true, problems: [] });
  });

  test("does nothing for an empty store", async () => {
    const store = kit.fresh();
    const shown = await showRefs(store, {});
    const before = kit.stores.counters.processes;
    await repackNew(shown);
    await writeCommitGraph(store, []);
    await collect(store, []);
    expect(await verifyStore(shown)).toEqual({ sound: true, problems: [] });
    expect(kit.stores.counters.processes).toBe(before);
    await expect(stat(store.path)).rejects.toThrow();
  });
});
