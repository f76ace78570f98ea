import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { createClient, importObjects } from "../../../../../test/kit/git.ts";
import { openStoreFixture, type StoreFixture } from "../../../../../test/kit/object-store-fixture.ts";
import { polling } from "../../../../../test/kit/polling.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { moveStoreRefs, setHead } from "./move.ts";
import { findRefs } from "./read.ts";
import { createRefSnapshots, type RefSnapshot, withAllRefs } from "./snapshots.ts";
import { createStore } from "./stores.ts";
import { describeTips } from "./tips.ts";

const client = createClient();
afterAll(() => client.remove());
const first = client.commit({ "a.txt": "one" });
const second = client.commit({ "a.txt": "two" });
client.git("tag", "-a", "-m", "note", "v1", first);
const tag = client.git("rev-parse", "refs/tags/v1");

async function newStore({ db, git }: StoreFixture): Promise<GitStore> {
  const store = git.store(await db.tx((tx) => createStore(tx, { format: "sha1", defaultBranch: "main" })), "sha1");
  await importObjects(store, client, [second, tag]);
  return store;
}

async function move({ db }: StoreFixture, store: GitStore, refs: Readonly<Record<string, Oid | null>>): Promise<void> {
  const present = await findRefs(db, store.id, Object.keys(refs));
  const updates = await describeTips(
    store,
    Object.entries(refs).map(([name, newOid]) => ({ name, oldOid: present.get(name)?.oid ?? null, newOid })),
  );
  await db.tx((tx) => moveStoreRefs(tx, store.id, updates, "all"));
}

const read = (store: GitStore, name: string): string => readFileSync(join(store.refsDirectory ?? "", name), "utf8");
/** Lines of `packed-refs` without the header. */
const shown = ({ store }: Pick<RefSnapshot, "store">): string[] => read(store, "packed-refs").trimEnd().split("\n").slice(1);
const pathOf = ({ store }: RefSnapshot): string => store.refsDirectory ?? "";

const gone = (path: string): Promise<void> => expect.poll(() => existsSync(path), polling).toBe(false);

eachDialect((dialect) => {
  test("contains HEAD and the refs visible to clients as of the call", async () => {
    await using fixture = await openStoreFixture(dialect);
    const snapshots = createRefSnapshots(fixture);
    const store = await newStore(fixture);
    await move(fixture, store, { "refs/heads/main": first, "refs/tags/v1": tag, "refs/pull/1/head": second, "refs/hearth/deleted/1": second });
    using before = await snapshots.take(store, "advertised");
    expect(shown(before)).toEqual([`${first} refs/heads/main`, `${second} refs/pull/1/head`, `${tag} refs/tags/v1`, `^${first}`]);
    expect(read(before.store, "HEAD")).toBe("ref: refs/heads/main\n");

    await move(fixture, store, { "refs/heads/main": second, "refs/tags/v1": null });
    await fixture.db.tx((tx) => setHead(tx, store.id, "refs/heads/trunk"));
    using after = await snapshots.take(store, "advertised");
    expect(shown(after)).toEqual([`${second} refs/heads/main`, `${second} refs/pull/1/head`]);
    expect(read(after.store, "HEAD")).toBe("ref: refs/heads/trunk\n");
    // A snapshot in use never changes.
    expect(shown(before)).toHaveLength(4);
    expect(after.digest).not.toBe(before.digest);
  });

  test("is created once for all calls between two updates, and takes one statement when reused", async () => {
    await using fixture = await openStoreFixture(dialect);
    const snapshots = createRefSnapshots(fixture);
    const store = await newStore(fixture);
    await move(fixture, store, { "refs/heads/main": first });
    const taken = await Promise.all(Array.from({ length: 20 }, () => snapshots.take(store, "advertised")));
    expect(new Set(taken.map(pathOf)).size).toBe(1);
    for (const snapshot of taken) snapshot.release();
    const { statements } = fixture.db.counters;
    using again = await snapshots.take(store, "advertised");
    expect(fixture.db.counters.statements - statements).toBe(1);
    expect(pathOf(again)).toBe(pathOf(taken[0] as RefSnapshot));
    expect(snapshots.counters).toEqual({ made: 1, present: 1 });
  });

  test("is deleted when the refs move, or once its last user has released it", async () => {
    await using fixture = await openStoreFixture(dialect);
    const snapshots = createRefSnapshots(fixture);
    const store = await newStore(fixture);
    await move(fixture, store, { "refs/heads/main": first });
    const unused = await snapshots.take(store, "advertised");
    unused.release();
    expect(existsSync(pathOf(unused))).toBe(true);
    await move(fixture, store, { "refs/heads/main": second });
    expect(snapshots.counters.present).toBe(0);
    await gone(pathOf(unused));

    const used = await snapshots.take(store, "advertised");
    used.retain();
    await move(fixture, store, { "refs/heads/main": first });
    used.release();
    expect(shown(used)).toEqual([`${second} refs/heads/main`]);
    used.release();
    expect(snapshots.counters.present).toBe(0);
    await gone(pathOf(used));
    expect(() => used.release()).toThrow();
    expect(() => used.retain()).toThrow();
  });

  test("a limited number of unused snapshots is kept", async () => {
    await using fixture = await openStoreFixture(dialect);
    const snapshots = createRefSnapshots(fixture, { maxUnused: 2 });
    const stores = await Promise.all([1, 2, 3, 4].map(() => newStore(fixture)));
    for (const store of stores) await move(fixture, store, { "refs/heads/main": first });
    const taken = await Promise.all(stores.map((store) => snapshots.take(store, "advertised")));
    expect(snapshots.counters).toEqual({ made: 4, present: 4 });
    for (const snapshot of taken) snapshot.release();
    expect(snapshots.counters).toEqual({ made: 4, present: 2 });
    for (const snapshot of taken.slice(0, 2)) await gone(pathOf(snapshot));
    for (const snapshot of taken.slice(2)) expect(existsSync(pathOf(snapshot))).toBe(true);
  });

  test("has the digest of its refs, even if refs move back and forth while it is created", async () => {
    await using fixture = await openStoreFixture(dialect);
    const snapshots = createRefSnapshots(fixture);
    const store = await newStore(fixture);
    const digests = new Map<string, string>();
    await move(fixture, store, { "refs/heads/main": first });
    for (let round = 0; round < 12; round += 1) {
      const moving = move(fixture, store, { "refs/heads/main": round % 2 === 0 ? second : first });
      const during = await Promise.all(Array.from({ length: 4 }, () => snapshots.take(store, "advertised")));
      await moving;
      using after = await snapshots.take(store, "advertised");
      expect(shown(after)).toEqual([`${round % 2 === 0 ? second : first} refs/heads/main`]);
      for (const snapshot of [...during, after]) {
        const text = shown(snapshot).join();
        expect(digests.get(text) ?? snapshot.digest).toBe(snapshot.digest);
        digests.set(text, snapshot.digest);
      }
      for (const snapshot of during) snapshot.release();
    }
    expect(digests.size).toBe(2);
    expect(new Set(digests.values()).size).toBe(2);
  });

  test("of annotated tags is unaffected by branches and HEAD, and has no directory without tags", async () => {
    await using fixture = await openStoreFixture(dialect);
    const snapshots = createRefSnapshots(fixture);
    const store = await newStore(fixture);
    await move(fixture, store, { "refs/heads/main": first, "refs/tags/light": first });
    using none = await snapshots.take(store, "tags");
    expect(none.store.refsDirectory).toBeUndefined();
    expect(snapshots.counters.made).toBe(0);
    await move(fixture, store, { "refs/tags/v1": tag });
    using one = await snapshots.take(store, "tags");
    expect(shown(one)).toEqual([`${tag} refs/tags/v1`, `^${first}`]);
    await move(fixture, store, { "refs/heads/main": second });
    await fixture.db.tx((tx) => setHead(tx, store.id, "refs/heads/trunk"));
    using same = await snapshots.take(store, "tags");
    expect(same.digest).toBe(one.digest);
    expect(none.digest).not.toBe(one.digest);
  });

  test("for maintenance contains hidden refs, and is deleted after the work", async () => {
    await using fixture = await openStoreFixture(dialect);
    const store = await newStore(fixture);
    await move(fixture, store, { "refs/heads/main": first, "refs/hearth/deleted/1": second });
    let path = "";
    const lines = await withAllRefs(fixture, store, async (held) => {
      path = held.refsDirectory;
      return shown({ store: held });
    });
    expect(lines).toEqual([`${first} refs/heads/main`, `${second} refs/hearth/deleted/1`]);
    expect(existsSync(path)).toBe(false);
    const failing = withAllRefs(fixture, store, async (held) => {
      path = held.refsDirectory;
      throw new Error("git failed");
    });
    await expect(failing).rejects.toThrow("git failed");
    expect(existsSync(path)).toBe(false);
    expect(await withAllRefs(fixture, fixture.git.store(4_711, "sha1"), async () => "done")).toBeUndefined();
    await expect(createRefSnapshots(fixture).take(fixture.git.store(4_711, "sha1"), "tags")).rejects.toMatchObject({ code: "not_found" });
  });
});
