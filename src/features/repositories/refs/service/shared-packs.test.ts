import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type OpenTestDatabase, onPostgres } from "../../../../../test/kit/databases.ts";
import { createClient, importObjects, showRefs } from "../../../../../test/kit/git.ts";
import { silentLog } from "../../../../../test/kit/logs.ts";
import { isForgeError } from "../../../../core/errors.ts";
import type { Db } from "../../../../db/db.ts";
import { repackNew, verifyStore, writeBitmap } from "../../../../git/maintain/housekeeping.ts";
import { newBlobInTurns } from "../../../../git/objects/hash.ts";
import { readInfo } from "../../../../git/objects/objects.ts";
import { writeObjects } from "../../../../git/objects/write.ts";
import { checkConnected } from "../../../../git/receive/connectivity.ts";
import { listPacks, type StoredPack, sizeOfParts } from "../../../../git/receive/pack-parts.ts";
import { streamGit } from "../../../../git/run/runner.ts";
import type { StoreWithRefs } from "../../../../git/send/store-with-refs.ts";
import { type GitStore, type GitStores, openGitStores } from "../../../../git/stores.ts";
import { openDiskFiles } from "../../../../storage/disk.ts";
import type { FileStore } from "../../../../storage/files.ts";
import { loadPacks } from "../store/packs.ts";
import { findProblems } from "./check.ts";
import { createRefListings } from "./listings.ts";
import { moveStoreRefs } from "./move.ts";
import { sweepPackFiles } from "./pack-files.ts";
import { refTips } from "./read.ts";
import { createSharedPacks, type SharedPacksOptions } from "./shared-packs.ts";
import { createRefSnapshots, withAllRefs } from "./snapshots.ts";
import { createStore, deleteStore, getStore } from "./stores.ts";

onPostgres((dialect) => {
  let database: OpenTestDatabase;
  let db: Db;
  let folder: string;
  let files: FileStore;
  const opened: GitStores[] = [];
  beforeEach(async () => {
    database = await dialect.open();
    db = database.db;
    folder = await mkdtemp(join(tmpdir(), "hearth-packs-"));
    files = openDiskFiles(join(folder, "bucket"));
  });
  afterEach(async () => {
    for (const stores of opened.splice(0)) await stores.close();
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  /** The stores of a process on a node. */
  const node = async (name: string, options: SharedPacksOptions = {}): Promise<GitStores> => {
    const packs = createSharedPacks({ db, files, log: silentLog }, options);
    const stores = await openGitStores({ root: join(folder, name), log: silentLog, searchPath: process.env.PATH ?? "", packs });
    opened.push(stores);
    return stores;
  };
  const newStore = (): Promise<number> => db.tx((tx) => createStore(tx, { format: "sha1", defaultBranch: "main" }));
  const handle = async (stores: GitStores, id: number): Promise<GitStore> => stores.store(id, "sha1", (await getStore(db, id))?.packsVersion);
  const write = async (store: GitStore, content: string | Buffer): Promise<string> => {
    const blob = await newBlobInTurns("sha1", Buffer.from(content));
    await writeObjects(store, [blob]);
    return blob.oid;
  };
  const point = (storeId: number, name: string, oid: string) =>
    db.tx((tx) => moveStoreRefs(tx, storeId, [{ name, oldOid: null, newOid: oid, type: "blob", peeledOid: "", tipMs: 0 }], "all"));
  const has = async (stores: GitStores, id: number, oid: string): Promise<boolean> => (await readInfo(await handle(stores, id), oid)) !== undefined;

  /** Brings the list that a handle needs, while files of listed packs are deleted: some before it is read, the others while it is read again. */
  const bringDuring = async (store: GitStore, remove: (names: readonly string[]) => void): Promise<void> => {
    const [first = "", ...others] = listPacks(join(store.objectsPath, "pack"));
    const before = db.counters.statements;
    let isOver = false;
    const arrival = (store.shared.packs.bring(store) ?? Promise.resolve()).finally(() => (isOver = true));
    remove([first]);
    while (!isOver && db.counters.statements < before + 2) await setImmediate();
    remove(others);
    await arrival;
  };
  const extensions = [".idx", ".pack", ".rev"];
  const removePacks = (store: GitStore, names: readonly string[]): void => {
    for (const name of names) for (const extension of extensions) rmSync(join(store.objectsPath, "pack", name + extension), { force: true });
  };

  test("what a failed transaction did not list is listed by the next one that moves a ref of the store", async () => {
    const [a, b] = [await node("a"), await node("b")];
    const id = await newStore();
    const first = await write(await handle(a, id), "first");
    await expect(
      db.tx(async (tx) => {
        await moveStoreRefs(tx, id, [], "all");
        throw new Error("the request fails");
      }),
    ).rejects.toThrow("the request fails");
    expect([await has(a, id, first), await has(b, id, first)]).toEqual([true, false]);
    // For example a branch at an object that this node has and others do not.
    const second = await write(await handle(a, id), "second");
    await point(id, "refs/heads/x", second);
    expect([await has(b, id, first), await has(b, id, second)]).toEqual([true, true]);
    expect((await loadPacks(db, id))?.packs).toHaveLength(2);
  });

  test("objects that are used before a ref reaches them can be listed alone", async () => {
    const [a, b] = [await node("a"), await node("b")];
    const id = await newStore();
    const oid = await write(await handle(a, id), "staged");
    await a.shared.packs.list(id);
    expect(await has(b, id, oid)).toBe(true);
  });

  test("packs that a killed process has not listed are not readable after its restart", async () => {
    const id = await newStore();
    const before = await node("a");
    await point(id, "refs/heads/x", await write(await handle(before, id), "listed"));
    const lost = await write(await handle(before, id), "not listed");
    expect(await has(before, id, lost)).toBe(true);
    const after = await node("a");
    expect(await has(after, id, lost)).toBe(false);
  });

  test("a reader with an old row finds objects that were added meanwhile", async () => {
    const [a, b] = [await node("a"), await node("b")];
    const id = await newStore();
    await point(id, "refs/heads/x", await write(await handle(a, id), "one"));
    const old = await handle(b, id);
    const oid = await write(await handle(a, id), "two");
    await point(id, "refs/heads/y", oid);
    expect(await readInfo(old, oid)).toMatchObject({ oid });
  });

  test("a reader that missed an object searches again if another reader has brought its pack meanwhile", async () => {
    const [a, b] = [await node("a"), await node("b")];
    const { packs } = b.shared;
    const id = await newStore();
    await point(id, "refs/heads/x", await write(await handle(a, id), "one"));
    const old = await handle(b, id);
    await packs.bring(old);
    const seen = packs.arrivals(old);
    const oid = await write(await handle(a, id), "two");
    await point(id, "refs/heads/y", oid);
    expect(await has(b, id, oid)).toBe(true);
    expect(await packs.refresh(old, seen)).toBe(true);
    expect(await packs.refresh(old, packs.arrivals(old))).toBe(false);
  });

  test("files that are deleted from the directory of a store are fetched again", async () => {
    const [a, b] = [await node("a"), await node("b")];
    const id = await newStore();
    const read = await write(await handle(a, id), "read before");
    const unread = await write(await handle(a, id), randomBytes(100_000));
    await point(id, "refs/tags/x", read);
    expect(await has(b, id, read)).toBe(true);
    const store = await handle(b, id);
    const directory = `${store.objectsPath}/pack`;
    for (const name of await readdir(directory)) await rm(`${directory}/${name}`);
    // A process that has the files open would still read them.
    await b.shared.pool.closeStore(store.key);
    expect(await has(b, id, unread)).toBe(true);
    expect(await has(b, id, "0".repeat(40))).toBe(false);
  });

  test("an object of a copy that is deleted again and again is found, or the error says that the copy changes, and it is never missing", async () => {
    const [a, b] = [await node("a"), await node("b")];
    const id = await newStore();
    const outcomes: string[] = [];
    for (let round = 1; round <= 20; round += 1) {
      const oid = await write(await handle(a, id), `content ${round}`);
      await point(id, `refs/tags/${round}`, oid);
      const store = await handle(b, id);
      let isOver = false;
      const reading = readInfo(store, oid)
        .then((found) => (found === undefined ? "missing" : "found"))
        .catch((error: unknown) => (isForgeError(error, "unavailable") ? "unavailable" : String(error)))
        .finally(() => (isOver = true));
      for (let wipes = 0; !isOver && wipes < round % 8; wipes += 1) {
        const before = b.shared.packs.arrivals(store);
        while (!isOver && b.shared.packs.arrivals(store) === before) await setImmediate();
        rmSync(store.path, { recursive: true, force: true });
      }
      outcomes.push(await reading);
    }
    expect(outcomes.filter((outcome) => outcome !== "found" && outcome !== "unavailable")).toEqual([]);
    expect(outcomes).toContain("found");
  });

  test("files that are deleted while the list is read are fetched", async () => {
    const [a, b] = [await node("a"), await node("b")];
    const id = await newStore();
    const oids: string[] = [];
    for (const content of ["one", "two", "three"]) {
      oids.push(await write(await handle(a, id), content));
      await point(id, `refs/tags/${content}`, oids.at(-1) ?? "");
      if (content !== "three") expect(await has(b, id, oids.at(-1) ?? "")).toBe(true);
    }
    const store = await handle(b, id);
    await bringDuring(store, (names) => removePacks(store, names));
    await b.shared.pool.closeStore(store.key);
    for (const oid of oids) expect(await readInfo(store, oid)).toMatchObject({ oid });
  });

  test("a snapshot of refs comes with their objects, although the handle is from an older row", async () => {
    const [a, b] = [await node("a"), await node("b")];
    const id = await newStore();
    await point(id, "refs/tags/one", await write(await handle(a, id), "one"));
    const old = await handle(b, id);
    await b.shared.packs.bring(old);
    const snapshots = createRefSnapshots({ db, git: b, refListings: createRefListings({ db }) });
    const oid = await write(await handle(a, id), "two");
    await point(id, "refs/tags/two", oid);
    {
      using snapshot = await snapshots.take(old, "advertised");
      expect(await verifyStore(snapshot.store as StoreWithRefs)).toMatchObject({ problems: [] });
    }
    const unlisted = await handle(b, id);
    const last = await write(await handle(a, id), "three");
    await point(id, "refs/tags/three", last);
    expect(await withAllRefs({ db, git: b }, unlisted, (shown) => verifyStore(shown))).toMatchObject({ problems: [] });
  });

  test("a check of objects has those of refs that another node has moved meanwhile", async () => {
    const [a, b] = [await node("a"), await node("b")];
    const id = await newStore();
    await point(id, "refs/tags/one", await write(await handle(a, id), "one"));
    const old = await handle(b, id);
    await b.shared.packs.bring(old);
    await point(id, "refs/tags/two", await write(await handle(a, id), "two"));
    // Git compares a blob with all refs.
    await checkConnected(old, { tipOids: [await write(old, "three")], knownOids: refTips(db, old) });
  });

  test("concurrent readers fetch a pack once", async () => {
    const [a, b] = [await node("a"), await node("b")];
    const id = await newStore();
    const oid = await write(await handle(a, id), randomBytes(200_000));
    await point(id, "refs/heads/x", oid);
    let reads = 0;
    const { read } = files;
    files.read = (name, part) => {
      reads += 1;
      return read(name, part);
    };
    const handles = await Promise.all(Array.from({ length: 20 }, () => handle(b, id)));
    const found = await Promise.all(handles.map((store) => readInfo(store, oid)));
    expect([found.every((info) => info?.oid === oid), reads]).toEqual([true, 1]);
  });

  test("the least recently used copies make room, except for those in which git runs", async () => {
    const a = await node("a");
    const ids = [await newStore(), await newStore(), await newStore()] as const;
    const oids: string[] = [];
    for (const id of ids) {
      const oid = await write(await handle(a, id), randomBytes(100_000));
      await point(id, "refs/heads/x", oid);
      oids.push(oid);
    }
    const b = await node("b", { maxBytes: 150_000, idleMs: 0 });
    const pathOf = (id: number): string => b.store(id, "sha1").path;
    const [first, second, third] = ids;
    expect(await has(b, first, oids[0] ?? "")).toBe(true);
    const running = await streamGit(await handle(b, first), { name: "cat-file", words: ["blob"], revisions: [oids[0] ?? ""] });
    expect(await has(b, second, oids[1] ?? "")).toBe(true);
    expect(await has(b, third, oids[2] ?? "")).toBe(true);
    await expect.poll(() => existsSync(pathOf(second))).toBe(false);
    expect(existsSync(pathOf(first))).toBe(true);
    expect((await running.stdout.toArray()).reduce((sum, chunk: Buffer) => sum + chunk.length, 0)).toBe(100_000);
    // It is fetched again on demand.
    expect(await has(b, second, oids[1] ?? "")).toBe(true);
  });

  test("packs of deleted stores stay in the bucket for two weeks, and then are deleted", async () => {
    const a = await node("a");
    const id = await newStore();
    const other = await newStore();
    const content = randomBytes(100_000);
    await point(id, "refs/heads/x", await write(await handle(a, id), content));
    const fork = await handle(a, other);
    await a.shared.packs.share(await handle(a, id), fork);
    await a.shared.packs.list(other);
    const [pack] = (await loadPacks(db, id))?.packs ?? [];
    const nowMs = Date.now();
    const sweepIn = (days: number) => sweepPackFiles({ db, packFiles: files, clock: { now: () => nowMs + days * 86_400_000 } });
    await db.tx((tx) => deleteStore(tx, id));
    expect(await sweepIn(20)).toBe(0);
    await db.tx((tx) => deleteStore(tx, other));
    expect(await sweepIn(13)).toBe(0);
    expect(await files.sizeOf(pack?.file ?? "")).toBeGreaterThan(100_000);
    expect(await sweepIn(15)).toBe(1);
    expect(await files.sizeOf(pack?.file ?? "")).toBeUndefined();
  });

  test("the check names packs that the bucket has lost or that have other bytes, and repairs them from an intact copy", async () => {
    const [a, b] = [await node("a"), await node("b")];
    const id = await newStore();
    await point(id, "refs/tags/x", await write(await handle(a, id), randomBytes(100_000)));
    const packOf = async () => (await loadPacks(db, id))?.packs[0];
    expect(await findProblems({ db, git: b }, id)).toEqual([]);
    const stored = await packOf();
    await files.delete(stored?.file ?? "");
    const c = await node("c");
    expect(await findProblems({ db, git: c }, id)).toEqual([`${stored?.name} is missing in the bucket: packs/${stored?.file}`]);
    // Node b has read it.
    expect(await findProblems({ db, git: b }, id)).toEqual([]);
    const again = await packOf();
    expect(again?.file === stored?.file).toBe(false);
    expect(await findProblems({ db, git: c }, id)).toEqual([]);

    const current = await packOf();
    const { read } = files;
    // The other bytes have the same size.
    files.read = (name, part) => (name === current?.file ? swapped(stored) : read(name, part));
    expect(await findProblems({ db, git: await node("d") }, id)).toEqual([`${stored?.name} has other bytes in the bucket than those that were stored`]);
    expect(await findProblems({ db, git: await node("b", { role: "tool" }) }, id)).toEqual([
      `${stored?.name} has other bytes than those that were stored in the bucket: packs/${current?.file}`,
    ]);
    expect(await findProblems({ db, git: b }, id)).toEqual([]);
    expect(await findProblems({ db, git: await node("e") }, id)).toEqual([]);
  });
  async function* swapped(pack: StoredPack | undefined): AsyncGenerator<Uint8Array, void, undefined> {
    yield randomBytes(sizeOfParts(pack?.parts ?? []));
  }

  test("the later of two processes that replace the packs of a store changes nothing, and no object is lost", async () => {
    const [a, b] = [await node("a"), await node("b")];
    const id = await newStore();
    const oids: string[] = [];
    for (const [at, content] of ["one", "two", "three"].entries()) {
      oids.push(await write(await handle(a, id), content));
      await point(id, `refs/heads/${at}`, oids.at(-1) ?? "");
    }
    const join = async (stores: GitStores, meanwhile: () => Promise<void>): Promise<void> => {
      const store = await handle(stores, id);
      const all = await Promise.all(oids.map(async (oid) => (await readInfo(store, oid))?.oid));
      expect(all).toEqual(oids);
      await stores.shared.packs.replacing(store, async () => {
        const directory = `${store.objectsPath}/pack`;
        const names = await readdir(directory);
        await meanwhile();
        // As git repack does.
        for (const name of names) await rm(`${directory}/${name}`);
        const blobs = await Promise.all(["one", "two", "three"].map((content) => newBlobInTurns("sha1", Buffer.from(content))));
        await writeObjects(store, blobs);
      });
    };
    await expect(
      join(a, async () => {
        await join(b, async () => {});
      }),
    ).rejects.toThrow("replaced by another process");
    for (const stores of [a, b, await node("c")]) for (const oid of oids) expect(await has(stores, id, oid)).toBe(true);
  });

  describe("a step that replaces packs", () => {
    /** A store with two packs, each of one object. */
    const twoPacks = async (stores: GitStores) => {
      const id = await newStore();
      const oids: string[] = [];
      for (const content of ["one", "two"]) {
        oids.push(await write(await handle(stores, id), content));
        await point(id, `refs/heads/${content}`, oids.at(-1) ?? "");
      }
      const store = await handle(stores, id);
      return { id, oids, store, directory: `${store.objectsPath}/pack` };
    };
    const isComplete = async ({ id, oids }: { readonly id: number; readonly oids: readonly string[] }): Promise<void> => {
      const fresh = await node("fresh");
      for (const oid of oids) expect(await has(fresh, id, oid)).toBe(true);
    };
    const removeFirst = async (directory: string): Promise<void> => {
      const [name = ""] = (await readdir(directory)).filter((file) => file.endsWith(".pack"));
      for (const extension of extensions) await rm(join(directory, name.replace(".pack", extension)), { force: true });
    };

    test("keeps listed packs that the directory has lacked since before it", async () => {
      const a = await node("a");
      const { id, oids, store, directory } = await twoPacks(a);
      expect(await has(a, id, oids[0] ?? "")).toBe(true);
      await removeFirst(directory);
      await a.shared.packs.replacing(store, async () => {});
      await isComplete({ id, oids });
    });

    test("is not disturbed by a read that meets it, and the read fetches no replaced pack", async () => {
      const [a, b] = [await node("a"), await node("b")];
      const { id, oids, store, directory } = await twoPacks(a);
      await a.shared.packs.replacing(store, async () => {
        const added = await write(await handle(b, id), "three");
        await point(id, "refs/heads/three", added);
        const replaced = listPacks(directory);
        const later = await handle(a, id);
        await writeObjects(store, await Promise.all(["one", "two"].map((content) => newBlobInTurns("sha1", Buffer.from(content)))));
        // As git repack does.
        await bringDuring(later, (names) =>
          removePacks(
            store,
            names.filter((name) => replaced.includes(name)),
          ),
        );
        expect(await readInfo(later, added)).toMatchObject({ oid: added });
        expect(listPacks(directory).filter((name) => replaced.includes(name))).toEqual([]);
        oids.push(added);
      });
      await isComplete({ id, oids });
      expect((await loadPacks(db, id))?.packs).toHaveLength(2);
    });

    test("keeps all packs if those that it leaves lack an object", async () => {
      const a = await node("a");
      const { id, oids, store, directory } = await twoPacks(a);
      await expect(a.shared.packs.replacing(store, () => removeFirst(directory))).rejects.toThrow("lacks objects of the packs that it replaces");
      await isComplete({ id, oids });
      for (const oid of oids) expect(await has(a, id, oid)).toBe(true);
    });

    test("keeps all packs if the directory is deleted meanwhile", async () => {
      const a = await node("a");
      const { id, oids, store } = await twoPacks(a);
      await a.shared.packs.replacing(store, () => rm(store.path, { recursive: true }));
      await isComplete({ id, oids });
      for (const oid of oids) expect(await has(a, id, oid)).toBe(true);
    });
  });

  test("a first read takes the list and the bytes of small packs from one moment", async () => {
    const [a, b] = [await node("a"), await node("b")];
    const id = await newStore();
    const oid = await write(await handle(a, id), "small");
    await point(id, "refs/heads/x", oid);
    const store = await handle(b, id);
    const before = db.counters.statements;
    expect(await readInfo(store, oid)).toMatchObject({ oid });
    expect(db.counters.statements - before).toBe(1);
  });

  test("a clone succeeds after the packs of a bitmap were replaced through another node and removed", async () => {
    const [a, b] = [await node("a"), await node("b")];
    const id = await newStore();
    const client = createClient("sha1");
    try {
      const commits: string[] = [];
      for (let at = 0; at < 3; at += 1) {
        commits.push(client.commit({ [`${at}.txt`]: `${at}\n` }));
        const store = await handle(a, id);
        await importObjects(store, client, commits.slice(-1));
        await point(id, `refs/heads/${at}`, commits.at(-1) ?? "");
      }
      const tip = commits.at(-1) ?? "";
      const shown = async (stores: GitStores): Promise<StoreWithRefs> => showRefs(await handle(stores, id), { "refs/heads/main": tip });
      await writeBitmap(await shown(a));
      const { objectsPath } = await handle(a, id);
      expect(await readdir(`${objectsPath}/pack`)).toContain("multi-pack-index");
      const other = await handle(b, id);
      await b.shared.packs.replacing(other, async () => repackNew(await shown(b), { beforeSecondLook: async () => {} }));
      // A restarted node removes packs that are not listed.
      const again = await node("a");
      const flags = { "--stdout": true, "--revs": true, "--quiet": true } as const;
      const { stdout } = await streamGit(await shown(again), { name: "pack-objects", flags }, { stdin: `${tip}\n` });
      const pack: Buffer = Buffer.concat(await stdout.toArray());
      // Three commits, each with a tree and a new file.
      expect(pack.readUInt32BE(8)).toBe(9);
    } finally {
      client.remove();
    }
  });
});
