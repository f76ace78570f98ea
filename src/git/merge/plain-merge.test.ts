import { expect, test } from "vitest";
import { newTree } from "../objects/format.ts";
import { parseTree } from "../objects/parse.ts";
import type { GitObject, Oid, TreeEntry } from "../types.ts";
import { mergePlainly } from "./plain-merge.ts";

/** Trees in memory that count how often they are read. */
function createTrees() {
  const known = new Map<Oid, GitObject>();
  const trees = {
    reads: 0,
    add(entries: readonly TreeEntry[]): Oid {
      const tree = newTree("sha1", entries);
      known.set(tree.oid, tree);
      return tree.oid;
    },
    async read(oid: Oid): Promise<readonly TreeEntry[]> {
      trees.reads += 1;
      return parseTree(oid, (known.get(oid) as GitObject).data);
    },
    /** A deep tree whose entries all are the same subtree, with one differing file at the bottom. */
    addBomb(files: readonly string[]): Oid {
      let oid = trees.add(files.map((name) => ({ mode: "100644", name, oid: "1".repeat(40) })));
      for (let level = 0; level < 12; level++) oid = trees.add(Array.from({ length: 10 }, (_, at) => ({ mode: "040000", name: `d${at}`, oid })));
      return oid;
    },
    addDirectories(count: number, file: string): Oid {
      const directory = (at: number): Oid => trees.add([{ mode: "100644", name: `${file}${at}`, oid: "1".repeat(40) }]);
      return trees.add(Array.from({ length: count }, (_, at) => ({ mode: "040000", name: `d${String(at).padStart(6, "0")}`, oid: directory(at) })));
    },
  };
  return trees;
}

test("reads each combination of trees once when merging a tree that contains itself 10^12 times", async () => {
  const trees = createTrees();
  const [baseOid, oursOid, theirsOid] = [trees.addBomb(["a"]), trees.addBomb(["a", "b"]), trees.addBomb(["a", "c"])];
  const merged = await mergePlainly("sha1", trees.read, { baseOid, oursOid, theirsOid });
  expect(merged?.treeOid).toBe(trees.addBomb(["a", "b", "c"]));
  expect(merged?.trees).toHaveLength(13);
  expect(trees.reads).toBe(3 * 13);
});

test("leaves a merge of very many directories to git", async () => {
  const trees = createTrees();
  const [baseOid, oursOid, theirsOid] = [trees.add([]), trees.addDirectories(6_000, "a"), trees.addDirectories(6_000, "b")];
  expect(await mergePlainly("sha1", trees.read, { baseOid, oursOid, theirsOid })).toBeUndefined();
  expect(trees.reads).toBeLessThan(11_000);
});
