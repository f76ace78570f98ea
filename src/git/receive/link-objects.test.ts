import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { addLoose, type ClientRepository, createClient, importObjects, openTestStores, showRefs, type TestStores } from "../../../test/kit/git.ts";
import { countCommits } from "../history/log.ts";
import { collectGarbage, inspectStore, repackNew, verifyStore, writeBitmap, writeCommitGraph } from "../maintain/housekeeping.ts";
import { projectRefs } from "../maintain/project-refs.ts";
import { newBlob } from "../objects/format.ts";
import { readBlob, readInfo } from "../objects/objects.ts";
import { writeObjects } from "../objects/write.ts";
import { sortRefs } from "../send/ref-slices.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import { linkObjects } from "./link-objects.ts";

let kit: TestStores;
let work: ClientRepository;
beforeAll(async () => {
  kit = await openTestStores();
});
afterAll(() => kit.close());
afterEach(() => work.remove());

const at = (store: GitStore, oid: Oid) => showRefs(store, { "refs/heads/main": oid });
const collect = (store: GitStore, tip: Oid): Promise<void> => collectGarbage(store, async (work) => work(await at(store, tip)), { tipOids: [tip], sinceMs: 1 });

/** The tips are only needed if packs are left out. */
const readTips = async (): Promise<Oid[]> => [];

const pointTo = (store: GitStore, oid: Oid): Promise<void> =>
  projectRefs(store, { headRef: "refs/heads/main", slices: sortRefs([{ name: "refs/heads/main", oid, peeledOid: "" }]) });

/** A store with three pushes and a loose object, after one housekeeping run. */
async function worn(): Promise<{ store: GitStore; tip: Oid; loose: Oid }> {
  work = createClient();
  const store = kit.fresh();
  for (let push = 0; push < 3; push += 1) await importObjects(store, work, [work.commit({ [`${push}.bin`]: randomBytes(500_000) })]);
  const tip = work.git("rev-parse", "HEAD");
  await pointTo(store, tip);
  const loose = addLoose(store, "loose");
  await writeCommitGraph(store, [tip]);
  await writeBitmap(await at(store, tip));
  return { store, tip, loose };
}

const packs = (store: GitStore): string[] => readdirSync(join(store.objectsPath, "pack")).filter((name) => name.endsWith(".pack"));

describe("linking a store's objects into a new store", () => {
  test("links all objects and indexes without a process or a copy", async () => {
    const { store, tip, loose } = await worn();
    const fork = kit.fresh();
    const before = kit.stores.counters.processes;
    await linkObjects(store, fork, { readTips });
    expect(kit.stores.counters.processes).toBe(before);
    expect(await inspectStore(fork)).toEqual(await inspectStore(store));
    for (const name of packs(store)) expect(statSync(join(fork.objectsPath, "pack", name)).ino).toBe(statSync(join(store.objectsPath, "pack", name)).ino);
    expect((await verifyStore(await at(fork, tip))).sound).toBe(true);
    expect(await countCommits(fork, { tipOids: [tip] })).toBe(3);
    expect((await readBlob(fork, loose, 100))?.data?.toString()).toBe("loose");
  });

  test("links the refs on request, and the new store then changes its own", async () => {
    const { store, tip } = await worn();
    const fork = kit.fresh();
    expect(await linkObjects(store, fork, { readTips, withRefs: true })).toBe(true);
    const refsOf = (one: GitStore): string[] => ["HEAD", "packed-refs"].map((name) => readFileSync(join(one.path, name), "utf8"));
    const shown = refsOf(store);
    expect(refsOf(fork)).toEqual(shown);
    expect((await verifyStore(await at(fork, tip))).sound).toBe(true);
    await projectRefs(fork, { headRef: "refs/heads/other", slices: sortRefs([{ name: "refs/heads/other", oid: tip, peeledOid: "" }]) });
    expect(refsOf(store)).toEqual(shown);
    // A store that was never projected has no list of refs.
    const unprojected = kit.fresh();
    await writeObjects(unprojected, [newBlob("sha1", Buffer.from("one"))]);
    const copy = kit.fresh();
    expect(await linkObjects(unprojected, copy, { readTips, withRefs: true })).toBe(false);
    expect(readFileSync(join(copy.path, "HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
  });

  test("keeps the stores independent: neither sees the other's writes, repacks or removals", async () => {
    const { store, tip } = await worn();
    const fork = kit.fresh();
    await linkObjects(store, fork, { readTips });
    const own = newBlob("sha1", Buffer.from("of the fork alone"));
    await writeObjects(fork, [own]);
    expect(await readInfo(store, own.oid)).toBeUndefined();
    await collect(store, tip);
    await repackNew(await at(fork, tip));
    expect(packs(store)).not.toEqual(packs(fork));
    await kit.stores.remove(store.id);
    expect((await verifyStore(await at(fork, tip))).sound).toBe(true);
  });

  test("leaves out packs of unreachable objects", async () => {
    const { store, tip } = await worn();
    work.git("checkout", "-q", "-f", "-b", "dropped");
    const dropped = work.commit({ "dropped.txt": "dropped" });
    await importObjects(store, work, [dropped]);
    // Younger than the expiry, older than recent objects.
    const past = new Date(Date.now() - 86_400_000);
    for (const name of packs(store)) utimesSync(join(store.objectsPath, "pack", name), past, past);
    await collect(store, tip);
    expect(await readInfo(kit.stores.store(store.id, "sha1"), dropped)).toBeDefined();
    const fork = kit.fresh();
    await linkObjects(store, fork, { readTips });
    expect(await readInfo(fork, dropped)).toBeUndefined();
    expect((await verifyStore(await at(fork, tip))).sound).toBe(true);
  });

  test("leaves an empty store empty", async () => {
    work = createClient();
    const fork = kit.fresh();
    await linkObjects(kit.fresh(), fork, { readTips });
    expect((await inspectStore(fork)).sizeBytes).toBe(0);
  });
});
