import { afterAll, beforeAll, expect, test } from "vitest";
import { type ClientRepository, createClient, importObjects, openTestStores, type TestStores } from "../../../../test/kit/git.ts";
import { newBlob, newTree } from "../../../git/objects/format.ts";
import { writeObjects } from "../../../git/objects/write.ts";
import type { GitStore } from "../../../git/stores.ts";
import type { GitObject, Oid } from "../../../git/types.ts";
import { type Listing, listTree } from "./tree-listing.ts";

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

const list = async (store: GitStore, rootOid: Oid, offset: number, limit: number): Promise<Listing> => {
  const listing = await listTree(store, rootOid, { offset, limit });
  if (listing === undefined) throw new Error("no such tree");
  return listing;
};

test("lists pages of any size like git ls-tree", async () => {
  const store = kit.fresh();
  const files = ["a/b/c/d", "a/b/c.txt", "a/b.txt", "a-b", "a.b/x", "deep/1/2/3/4/5/x", "same/x/y", "twin/x/y", "z", "ü/ñ", "new\nline/x"];
  const tip = client.commit(Object.fromEntries(files.map((path) => [path, path.includes("x/y") ? "twins" : path])));
  await importObjects(store, client, [tip]);
  const root = client.git("rev-parse", `${tip}^{tree}`);
  const expected = client
    .pipe("", "ls-tree", "-r", "-t", "-z", root)
    .toString()
    .split("\0")
    .filter((line) => line !== "");
  const whole = await list(store, root, 0, 1000);
  const lines = (listing: Listing): string[] =>
    listing.entries.map(({ path, entry }) => `${entry.mode} ${entry.mode === "040000" ? "tree" : "blob"} ${entry.oid}\t${path}`);
  expect(lines(whole)).toEqual(expected);
  for (const limit of [1, 2, 3, 7]) {
    const pages: string[] = [];
    for (let offset = 0; offset < expected.length; offset += limit) {
      const page = await list(store, root, offset, limit);
      expect(page.total).toBe(expected.length);
      expect(page.isIncomplete).toBe(false);
      pages.push(...lines(page));
    }
    expect(pages).toEqual(expected);
  }
  expect((await list(store, root, expected.length, 5)).entries).toEqual([]);
  expect(await listTree(store, "1".repeat(40), { offset: 0, limit: 5 })).toBeUndefined();
});

/** A tree of `width` entries that are all the same tree, recursively. */
async function nest(store: GitStore, levels: number, names: readonly string[]): Promise<Oid> {
  const objects: GitObject[] = [newBlob("sha1", Buffer.from("boom\n"))];
  let below = objects[0] as GitObject;
  for (let level = 0; level < levels; level++) {
    const mode = level === 0 ? "100644" : "040000";
    const { oid } = below;
    below = newTree(
      "sha1",
      names.map((name) => ({ mode, name, oid })),
    );
    objects.push(below);
  }
  await writeObjects(store, objects);
  return below.oid;
}

test("counts and pages through ten billion paths in twelve objects", async () => {
  const store = kit.fresh();
  const names = Array.from({ length: 10 }, (_, index) => `d${index}`);
  const root = await nest(store, 10, names);
  const total = 11_111_111_110;
  const first = await list(store, root, 0, 1000);
  expect([first.total, first.entries.length, first.isIncomplete]).toEqual([total, 1000, false]);
  expect(first.entries.slice(0, 3).map(({ path }) => path)).toEqual(["d0", "d0/d0", "d0/d0/d0"]);
  const last = await list(store, root, total - 1, 1000);
  expect(last.entries.map(({ path }) => path)).toEqual([names.map(() => "d9").join("/")]);
  // The second of ten equal directories follows the first.
  expect((await list(store, root, total / 10, 1)).entries[0]?.path).toBe("d1");
});

test("counts beyond the largest safe integer are capped", async () => {
  const store = kit.fresh();
  const root = await nest(
    store,
    40,
    Array.from({ length: 10 }, (_, index) => `d${index}`),
  );
  const { total, entries } = await list(store, root, 0, 10);
  expect([total, entries.length]).toEqual([Number.MAX_SAFE_INTEGER, 10]);
});

test("a tree that is nested too deeply is listed up to the path limit", async () => {
  const store = kit.fresh();
  const root = await nest(store, 3000, ["name"]);
  const first = await list(store, root, 0, 1000);
  expect(first.isIncomplete).toBe(true);
  expect(first.total).toBe(1000);
  expect(Math.max(...first.entries.map(({ path }) => path.length))).toBeLessThanOrEqual(4096);
  expect((await list(store, root, 1000, 1000)).entries).toEqual([]);
});

test("a tree of too many objects is listed up to the object limit", async () => {
  const store = kit.fresh();
  const blob = newBlob("sha1", Buffer.from("x"));
  const inner = Array.from({ length: 50 }, (_, index) => newTree("sha1", [{ mode: "100644", name: `f${index}`, oid: blob.oid }]));
  const root = newTree(
    "sha1",
    inner.map(({ oid }, index) => ({ mode: "040000", name: `d${String(index).padStart(2, "0")}`, oid })),
  );
  await writeObjects(store, [blob, ...inner, root]);
  const limits = { levels: 10, trees: 20, entries: 1000, pathLength: 100 };
  const listing = await listTree(store, root.oid, { offset: 0, limit: 1000 }, limits);
  expect(listing).toMatchObject({ total: 50, isIncomplete: true });
  expect(listing?.entries).toHaveLength(50);
  expect(await listTree(store, root.oid, { offset: 0, limit: 1000 }, { ...limits, trees: 100 })).toMatchObject({ total: 100, isIncomplete: false });
  const short = await listTree(store, root.oid, { offset: 0, limit: 1000 }, { ...limits, trees: 100, pathLength: 4 });
  expect(short?.isIncomplete).toBe(true);
  expect(short?.entries).toHaveLength(50);
});
