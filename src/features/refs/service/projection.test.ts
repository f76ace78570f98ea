import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { createClient, importObjects, silentLog } from "../../../../test/kit/git.ts";
import { openStoreWorld, type StoreWorld } from "../../../../test/kit/store-world.ts";
import { systemClock } from "../../../core/clock.ts";
import type { Db } from "../../../db/db.ts";
import type { GitStore } from "../../../git/stores.ts";
import type { Oid } from "../../../git/types.ts";
import { createJobQueue, type JobQueue } from "../../../jobs/queue.ts";
import { moveRefs, setHead } from "./move.ts";
import { projectRefsJob, projectStore, projectStoresBehind } from "./projection.ts";
import { allRefs, findRefs } from "./read.ts";
import { createStore, getStore } from "./stores.ts";
import { describeTips } from "./tips.ts";

const client = createClient();
afterAll(() => client.remove());
const first = client.commit({ "a.txt": "one" });
const second = client.commit({ "a.txt": "two" });
client.git("tag", "-a", "-m", "note", "v1", first);
const tag = client.git("rev-parse", "refs/tags/v1");

const queueOf = ({ db, git }: StoreWorld): JobQueue => {
  const jobs = createJobQueue({ db, clock: systemClock, log: silentLog });
  jobs.handle(projectRefsJob, ({ payload, tx }) => projectStore({ db, git }, payload.storeId, tx));
  return jobs;
};

async function newStore({ db, git }: StoreWorld): Promise<GitStore> {
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
  await db.tx((tx) => moveRefs(tx, store.id, updates, "all"));
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
  test("after every move the disk shows what the database says", async () => {
    await using world = await openStoreWorld(dialect);
    const { db } = world;
    const store = await newStore(world);
    const jobs = queueOf(world);
    for (const refs of [
      { "refs/heads/main": first, "refs/heads/a/b": first, "refs/tags/v1": tag, "refs/pull/1/head": second },
      { "refs/heads/main": second, "refs/heads/a/b": null, "refs/heads/a": second },
      { "refs/heads/main": null, "refs/heads/a": null, "refs/tags/v1": null, "refs/pull/1/head": null },
    ]) {
      await move(db, store, refs);
      await jobs.runDue();
      expect(trimmed(onDisk(store))).toEqual(await inDatabase(db, store));
      expect(await isBehind(db, store)).toBe(false);
    }
    await db.tx((tx) => setHead(tx, store.id, "refs/heads/trunk"));
    await jobs.runDue();
    expect(execFileSync("git", ["symbolic-ref", "HEAD"], { env: { PATH: process.env.PATH, GIT_DIR: store.path } }).toString()).toBe("refs/heads/trunk\n");
  });

  test("moves while a projection runs are projected too", async () => {
    await using world = await openStoreWorld(dialect);
    const { db } = world;
    const store = await newStore(world);
    const jobs = queueOf(world);
    await jobs.start();
    for (let round = 0; round < 10; round += 1) await move(db, store, { "refs/heads/main": round % 2 === 0 ? first : second, [`refs/heads/b${round}`]: first });
    await jobs.runDue();
    await jobs.stop();
    expect(trimmed(onDisk(store))).toEqual(await inDatabase(db, store));
    expect(await isBehind(db, store)).toBe(false);
  });

  test("a store whose projection was lost is found at boot and healed", async () => {
    await using world = await openStoreWorld(dialect);
    const { db } = world;
    const store = await newStore(world);
    await move(db, store, { "refs/heads/main": first });
    await queueOf(world).runDue();
    // The move is committed; its job failed for the last time, and somebody's git left its mark on the disk.
    await move(db, store, { "refs/heads/main": second, "refs/tags/v1": tag });
    await db.tx(async (tx) => void (await tx.sql.deleteFrom("jobs").execute()));
    writeFileSync(join(store.path, "packed-refs.lock"), "");
    writeFileSync(join(store.path, "packed-refs"), "");
    expect(trimmed(onDisk(store))).not.toEqual(await inDatabase(db, store));

    expect(await projectStoresBehind({ db })).toBe(1);
    await queueOf(world).runDue();
    expect(trimmed(onDisk(store))).toEqual(await inDatabase(db, store));
    expect(await projectStoresBehind({ db })).toBe(0);
  });

  test("projecting again, or a store that is gone, changes nothing", async () => {
    await using world = await openStoreWorld(dialect);
    const { db } = world;
    const store = await newStore(world);
    await move(db, store, { "refs/heads/main": first });
    await projectStore(world, store.id);
    const { statements } = db.counters;
    await projectStore(world, store.id);
    // The store, its refs, and whether they have moved meanwhile.
    expect(db.counters.statements - statements).toBe(3);
    await projectStore(world, 4_711);
    expect(trimmed(onDisk(store))).toEqual(await inDatabase(db, store));
  });
});
