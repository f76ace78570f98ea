import { execFileSync } from "node:child_process";
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { createClient, importObjects } from "../../../../../test/kit/git.ts";
import { createLogRecorder, silentLog } from "../../../../../test/kit/logs.ts";
import { openStoreFixture, type StoreFixture } from "../../../../../test/kit/object-store-fixture.ts";
import { polling } from "../../../../../test/kit/polling.ts";
import type { Db } from "../../../../db/db.ts";
import { linkObjects } from "../../../../git/receive/link-objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { copyStore, showCopy } from "./copy.ts";
import { moveStoreRefs, setHead } from "./move.ts";
import { projectStore } from "./projection.ts";
import { createProjector, type Projector } from "./projector.ts";
import { allRefs, findRefs } from "./read.ts";
import { createStore, getStore } from "./stores.ts";
import { describeTips } from "./tips.ts";

const client = createClient();
afterAll(() => client.remove());
const first = client.commit({ "a.txt": "one" });
const second = client.commit({ "a.txt": "two" });
client.git("tag", "-a", "-m", "note", "v1", first);
const tag = client.git("rev-parse", "refs/tags/v1");

const projectorOf = (fixture: StoreFixture): Projector => createProjector({ ...fixture, log: silentLog }, { delayMs: 1 });

async function newStore({ db, git }: StoreFixture): Promise<GitStore> {
  const store = git.store(await db.tx((tx) => createStore(tx, { format: "sha1", defaultBranch: "main" })), "sha1");
  await importObjects(store, client, [second, tag]);
  return store;
}

async function move(db: Db, store: GitStore, refs: Readonly<Record<string, Oid | null>>): Promise<void> {
  const present = await findRefs(db, store.id, Object.keys(refs));
  const updates = await describeTips(
    store,
    Object.entries(refs).map(([name, newOid]) => ({ name, oldOid: present.get(name)?.oid ?? null, newOid })),
  );
  await db.tx((tx) => moveStoreRefs(tx, store.id, updates, "all"));
}

const onDisk = (store: GitStore): string[] => {
  const text = execFileSync("git", ["for-each-ref", "--format=%(objectname) %(refname) %(*objectname)"], {
    env: { PATH: process.env.PATH, GIT_DIR: store.path },
  });
  return text.toString().trim().split("\n").filter(Boolean).sort();
};
const inDatabase = async (db: Db, store: GitStore): Promise<string[]> =>
  (await allRefs(db, store.id)).map(({ name, oid, peeledOid }) => `${oid} ${name} ${peeledOid}`.trimEnd()).sort();
const trimmed = (lines: readonly string[]): string[] => lines.map((line) => line.trimEnd());
const isBehind = async (db: Db, store: GitStore): Promise<boolean> => {
  const row = await getStore(db, store.id);
  return row === undefined || row.projectedVersion < row.refsVersion;
};

eachDialect((dialect) => {
  test("after every update, the refs on disk equal those in the database", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db } = fixture;
    const store = await newStore(fixture);
    const projector = projectorOf(fixture);
    expect(await projector.start()).toBe(0);
    for (const refs of [
      { "refs/heads/main": first, "refs/heads/a/b": first, "refs/tags/v1": tag, "refs/pull/1/head": second },
      { "refs/heads/main": second, "refs/heads/a/b": null, "refs/heads/a": second },
      { "refs/heads/main": null, "refs/heads/a": null, "refs/tags/v1": null, "refs/pull/1/head": null },
    ]) {
      await move(db, store, refs);
      await projector.settled();
      expect(trimmed(onDisk(store))).toEqual(await inDatabase(db, store));
      expect(await isBehind(db, store)).toBe(false);
    }
    await db.tx((tx) => setHead(tx, store.id, "refs/heads/trunk"));
    await projector.settled();
    expect(execFileSync("git", ["symbolic-ref", "HEAD"], { env: { PATH: process.env.PATH, GIT_DIR: store.path } }).toString()).toBe("refs/heads/trunk\n");
    await projector.stop();
  });

  test("successive updates are projected once, including those during a projection", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db } = fixture;
    const store = await newStore(fixture);
    const projector = createProjector({ ...fixture, log: silentLog }, { delayMs: 60_000 });
    await projector.start();
    for (let round = 0; round < 5; round += 1) await move(db, store, { "refs/heads/main": round % 2 === 0 ? first : second });
    const { statements } = db.counters;
    await projector.settled();
    // The store, its refs, and the recorded version.
    expect(db.counters.statements - statements).toBe(3);

    const during = projector.settled();
    await move(db, store, { "refs/heads/late": first });
    await Promise.all([during, move(db, store, { "refs/heads/later": first })]);
    await projector.settled();
    expect(trimmed(onDisk(store))).toEqual(await inDatabase(db, store));
    expect(await isBehind(db, store)).toBe(false);
    await projector.stop();
  });

  test("moves of a store with many refs share a projection, also after a pause, unless a caller waits for it", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db } = fixture;
    const large = await newStore(fixture);
    const small = await newStore(fixture);
    let longMs = 2;
    const projector = createProjector({ ...fixture, log: silentLog }, { delayMs: 1, longDelayMs: (refs) => (refs < 3 ? 0 : longMs) });
    await projector.start();
    for (const tip of [first, second]) {
      await move(db, large, { "refs/heads/a": tip, "refs/heads/b": tip, "refs/heads/c": tip });
      await expect.poll(() => isBehind(db, large), polling).toBe(false);
    }
    longMs = 3_600_000;
    for (const tip of [first, second]) {
      await move(db, large, { "refs/heads/main": tip });
      await move(db, small, { "refs/heads/main": tip });
      await expect.poll(() => isBehind(db, small), polling).toBe(false);
      expect(await isBehind(db, large)).toBe(true);
    }
    await projector.settled();
    expect(await isBehind(db, large)).toBe(false);
    expect(trimmed(onDisk(large))).toEqual(await inDatabase(db, large));
    await projector.stop();
  });

  test("several processes that project one store leave the correct refs", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db } = fixture;
    const store = await newStore(fixture);
    const projectors = [projectorOf(fixture), projectorOf(fixture)];
    await Promise.all(projectors.map((projector) => projector.start()));
    for (let round = 0; round < 10; round += 1) await move(db, store, { "refs/heads/main": round % 2 === 0 ? first : second, [`refs/heads/b${round}`]: first });
    await Promise.all(projectors.map((projector) => projector.settled()));
    await Promise.all(projectors.map((projector) => projector.stop()));
    expect(trimmed(onDisk(store))).toEqual(await inDatabase(db, store));
    expect(await isBehind(db, store)).toBe(false);
  });

  test("an outdated store is found and repaired at the start", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db } = fixture;
    const store = await newStore(fixture);
    await move(db, store, { "refs/heads/main": first });
    await projectStore(fixture, store.id);
    // The update is committed without an announcement, and a foreign git process has changed the disk.
    await move(db, store, { "refs/heads/main": second, "refs/tags/v1": tag });
    writeFileSync(join(store.path, "packed-refs.lock"), "");
    writeFileSync(join(store.path, "packed-refs"), "");
    expect(trimmed(onDisk(store))).not.toEqual(await inDatabase(db, store));

    for (const found of [1, 0]) {
      const projector = projectorOf(fixture);
      expect(await projector.start()).toBe(found);
      await projector.stop();
      expect(trimmed(onDisk(store))).toEqual(await inDatabase(db, store));
    }
  });

  test("a copy uses the other store's refs on disk if they are current, and is projected otherwise", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db, git } = fixture;
    const store = await newStore(fixture);
    // Projects only on request, so that the last update is never on disk, however slow the machine is.
    const projector = createProjector({ ...fixture, log: silentLog }, { delayMs: 60_000 });
    const copy = async (meanwhile?: () => Promise<void>): Promise<{ fork: GitStore; isShown: boolean }> => {
      const copied = await db.tx((tx) => copyStore(tx, store.id));
      await meanwhile?.();
      const fork = git.store(copied.id, "sha1");
      const hasRefs = await linkObjects(store, fork, { readTips: async () => [], withRefs: copied.shownVersion !== undefined });
      const shownVersion = hasRefs ? copied.shownVersion : undefined;
      await db.tx((tx) => showCopy(tx, { id: fork.id, fromId: store.id, keepsGarbage: true, shownVersion }));
      const isShown = !(await isBehind(db, fork));
      await projector.settled();
      expect(await isBehind(db, fork)).toBe(false);
      expect(trimmed(onDisk(fork))).toEqual(await inDatabase(db, fork));
      return { fork, isShown };
    };
    await move(db, store, { "refs/heads/main": first, "refs/tags/v1": tag });
    await projector.start();
    expect((await copy()).isShown).toBe(true);

    const moved = await copy(async () => {
      await move(db, store, { "refs/heads/main": second });
      await projector.settled();
    });
    expect(moved.isShown).toBe(false);
    expect(await inDatabase(db, moved.fork)).toContain(`${first} refs/heads/main`);

    for (const hidden of ["refs/before", "refs/notes/commits", "refs/x"]) {
      await move(db, store, { [hidden]: second });
      await projector.settled();
      const { fork, isShown } = await copy();
      expect(isShown).toBe(false);
      expect(onDisk(fork)).toHaveLength(2);
      await move(db, store, { [hidden]: null });
    }
    // Not yet on the disk.
    expect((await copy()).isShown).toBe(false);
    await projector.stop();
  });

  test("a store that cannot be written is logged and retried", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db } = fixture;
    const store = await newStore(fixture);
    const log = createLogRecorder();
    const projector = createProjector({ ...fixture, log }, { delayMs: 1 });
    await projector.start();
    mkdirSync(join(store.path, "packed-refs"));
    await move(db, store, { "refs/heads/main": first });
    await projector.settled();
    expect(log.entries.map(({ level, message }) => `${level}: ${message}`)).toEqual(["warn: the refs of a store could not be projected; retrying"]);
    expect(await isBehind(db, store)).toBe(true);
    await projector.stop();

    rmdirSync(join(store.path, "packed-refs"));
    const next = projectorOf(fixture);
    expect(await next.start()).toBe(1);
    expect(trimmed(onDisk(store))).toEqual(await inDatabase(db, store));
    await next.stop();
  });

  test("projecting again, or projecting a deleted store, changes nothing", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db } = fixture;
    const store = await newStore(fixture);
    await move(db, store, { "refs/heads/main": first });
    await projectStore(fixture, store.id);
    const { statements } = db.counters;
    await projectStore(fixture, store.id);
    // The store, its refs, and a check for concurrent updates.
    expect(db.counters.statements - statements).toBe(3);
    await projectStore(fixture, 4_711);
    expect(trimmed(onDisk(store))).toEqual(await inDatabase(db, store));
  });
});
