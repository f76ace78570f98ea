import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type ClientRepository, chunksOf, createClient, importObjects, openTestStores, type TestStores } from "../../../test/kit/git.ts";
import { isForgeError } from "../../core/errors.ts";
import { newCommit, newTree } from "../objects/format.ts";
import { readCommit } from "../objects/objects.ts";
import { writeObjects } from "../objects/write.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import { createQuarantine } from "./pack.ts";

let kit: TestStores;
let work: ClientRepository;
beforeAll(async () => {
  kit = await openTestStores();
  work = createClient();
});
afterAll(async () => {
  work.remove();
  await kit.close();
});
afterEach(() => work.git("reset", "-q", "--hard"));

interface Outcome {
  readonly isWhole: boolean;
  /** Processes started by the check and by reading the received objects, without indexing the pack. */
  readonly processes: number;
}

/** Receives a push of `tips` from a client that assumes the store to have `has`. */
async function push(store: GitStore, pack: Buffer, tips: readonly Oid[], known: readonly Oid[]): Promise<Outcome> {
  const quarantine = await createQuarantine(store);
  try {
    await quarantine.receivePack(chunksOf(pack), { maxBytes: 1 << 28 });
    const before = kit.stores.counters.processes;
    const isWhole = await quarantine.checkConnected({ tipOids: tips, knownOids: new Set(known) }).then(
      () => true,
      (error: unknown) => {
        if (isForgeError(error, "invalid")) return false;
        throw error;
      },
    );
    return { isWhole, processes: kit.stores.counters.processes - before };
  } finally {
    await quarantine.discard();
  }
}

/** A store with a running worker, so that reading its objects starts no process. */
async function storeWith(oids: readonly Oid[]): Promise<GitStore> {
  const store = kit.fresh();
  await importObjects(store, work, oids);
  for (const oid of oids) await readCommit(store, oid);
  return store;
}

test("commits on top of a known one, merges of them and moved directories need no process", async () => {
  const root = work.commit({ "a.txt": "a", "d/b.txt": "b", "d/e/c.txt": "c" });
  const store = await storeWith([root]);
  const left = work.commit({ "d/e/c.txt": "changed" });
  const right = work.commit({ "f/g/h.txt": "new", "a.txt": undefined });
  const merge = work.git("commit-tree", "-p", left, "-p", root, "-m", "merge", `${right}^{tree}`);
  expect(await push(store, work.pack([left], [root], ["--thin"]), [left], [root])).toEqual({ isWhole: true, processes: 0 });
  expect(await push(store, work.pack([right, merge], [root]), [right, merge], [root])).toEqual({ isWhole: true, processes: 0 });
  work.git("tag", "-a", "-m", "tagged", "t0", root);
  work.git("tag", "-a", "-m", "tagged", "t2", left);
  const tags = ["t0", "t2"].map((name) => work.git("rev-parse", name));
  expect(await push(store, work.pack(tags, [root]), tags, [root])).toEqual({ isWhole: true, processes: 0 });
  const empty = work.git("commit-tree", "-m", "a history of its own", `${right}^{tree}`);
  expect(await push(store, work.pack([empty]), [empty], [root])).toEqual({ isWhole: true, processes: 0 });
});

test("a push that its objects alone do not prove connected is left to git, which accepts it", async () => {
  const middle = work.commit({ "two/2.txt": "2" });
  const tip = work.commit({ "three.txt": "3" });
  const store = await storeWith([tip]);
  // On a commit that exists but is not reachable from a ref; a tag of a file.
  const aside = work.git("commit-tree", "-p", middle, "-m", "aside", `${tip}^{tree}`);
  work.git("tag", "-a", "-m", "tagged", "t1", `${tip}:three.txt`);
  const tag = work.git("rev-parse", "t1");
  for (const oid of [aside, tag]) {
    const outcome = await push(store, work.pack([oid], [tip]), [oid], [tip]);
    expect(outcome.isWhole).toBe(true);
    expect(outcome.processes).toBeGreaterThan(0);
  }
});

test("a push onto an unconnected commit in the store is rejected", async () => {
  const root = work.commit({ "r.txt": "r" });
  const store = await storeWith([root]);
  const absent = work.pipe("absent", "hash-object", "--stdin").toString().trim();
  const broken = newTree("sha1", [{ mode: "100644", name: "absent.txt", oid: absent }]);
  await writeObjects(store, [broken]);
  const tree = newTree("sha1", [{ mode: "040000", name: "d", oid: broken.oid }]);
  const signature = { name: "A", email: "a@example.com", seconds: 1, offsetMinutes: 0 };
  const commit = newCommit("sha1", { treeOid: tree.oid, parentOids: [root], author: signature, committer: signature, message: "broken\n" });
  for (const { type, data } of [broken, tree, commit]) work.pipe(data, "hash-object", "-w", "-t", type, "--stdin", "--literally");
  const pack = work.pipe(`${commit.oid}\n${tree.oid}\n`, "pack-objects", "--stdout", "-q");
  expect((await push(store, pack, [commit.oid], [root])).isWhole).toBe(false);
});
