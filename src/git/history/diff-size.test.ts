import { afterAll, beforeAll, expect, test } from "vitest";
import { type ClientRepository, createClient, importObjects, openTestStores, type TestStores } from "../../../test/kit/git.ts";
import { newBlob, newTree } from "../objects/format.ts";
import { readCommit } from "../objects/objects.ts";
import { writeObjects } from "../objects/write.ts";
import type { GitStore } from "../stores.ts";
import type { GitObject, Oid } from "../types.ts";
import { isListable } from "./diff-size.ts";

let kit: TestStores;
let client: ClientRepository;

beforeAll(async () => {
  kit = await openTestStores();
  client = createClient();
});

afterAll(async () => {
  client.remove();
  await kit.close();
});

test("diff size counts exactly the paths that differ", async () => {
  const store = kit.fresh();
  const first = client.commit({ "a/b/c": "1", "a/b/d": "1", "e/f": "1", g: "1" });
  // Changed: a, a/b, a/b/c. Removed: e, e/f. Added: h, h/i.
  const second = client.commit({ "a/b/c": "2", "e/f": undefined, "h/i": "1" });
  // A directory replaces a file: g, g/x.
  const third = client.commit({ g: undefined, "g/x": "1" });
  const unchanged = client.commit({});
  await importObjects(store, client, [unchanged]);
  const paths = async (oid: Oid): Promise<number> => {
    const commit = await readCommit(store, oid);
    if (commit === undefined) throw new Error("no such commit");
    for (let count = 0; ; count++) if (await isListable(store, commit, { paths: count, pairs: 100, levels: 100 })) return count;
  };
  expect(await Promise.all([first, second, third, unchanged].map(paths))).toEqual([7, 7, 2, 0]);
});

/** A tree of ten equal subtrees, nested several levels deep. */
async function nest(store: GitStore, levels: number, width: number): Promise<Oid> {
  const objects: GitObject[] = [newBlob("sha1", Buffer.from("x\n"))];
  for (let level = 0; level < levels; level++) {
    const { oid } = objects.at(-1) as GitObject;
    const mode = level === 0 ? "100644" : "040000";
    objects.push(
      newTree(
        "sha1",
        Array.from({ length: width }, (_, index) => ({ mode, name: `${index}`, oid })),
      ),
    );
  }
  await writeObjects(store, objects);
  return (objects.at(-1) as GitObject).oid;
}

test("a diff with too many objects or paths is not listable", async () => {
  const store = kit.fresh();
  const [bomb, deep, small] = [await nest(store, 10, 10), await nest(store, 600, 1), await nest(store, 4, 10)];
  expect(await isListable(store, { treeOid: bomb, parentOids: [] })).toBe(false);
  expect(await isListable(store, { treeOid: deep, parentOids: [] })).toBe(false);
  expect(await isListable(store, { treeOid: small, parentOids: [] })).toBe(true);
  expect(await isListable(store, { treeOid: small, parentOids: [] }, { paths: 11_109, pairs: 100, levels: 100 })).toBe(false);
  expect(await isListable(store, { treeOid: small, parentOids: [] }, { paths: 100_000, pairs: 3, levels: 100 })).toBe(false);
  expect(await isListable(store, { treeOid: "1".repeat(40), parentOids: [] })).toBe(false);
});
