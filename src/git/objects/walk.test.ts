import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientRepository, createClient, importObjects, openTestStores, type TestStores } from "../../../test/kit/git.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import { walkBetween } from "./walk.ts";

describe("the commits between an older commit and a tip", () => {
  let stores: TestStores;
  let client: ClientRepository;
  let store: GitStore;
  beforeAll(async () => {
    stores = await openTestStores();
    client = createClient();
    store = stores.fresh();
  });
  afterAll(async () => {
    client.remove();
    await stores.close();
  });
  const revList = (tip: Oid, old: Oid): string[] => client.git("rev-list", tip, `^${old}`).split("\n").filter(Boolean);
  const between = async (tip: Oid, old: Oid, maxReads?: number): Promise<string[]> => (await walkBetween(store, tip, old, maxReads)).map(({ oid }) => oid);

  test("equal git's list for linear histories, merges and force-pushed branches", async () => {
    const line = Array.from({ length: 6 }, (_, index) => client.commit({ f: `${index}` }));
    const [base = "", second = ""] = line;
    const top = line.at(-1) ?? "";
    client.git("checkout", "-q", "-b", "side", second);
    const side = [client.commit({ s: "1" }), client.commit({ s: "2" })].at(-1) ?? "";
    client.git("checkout", "-q", "main");
    client.git("merge", "-q", "--no-ff", "-m", "merge", side);
    const merge = client.git("rev-parse", "HEAD");
    const after = client.commit({ f: "after" });
    client.git("checkout", "-q", "--orphan", "fresh");
    const fresh = client.commit({ g: "1" }, { seconds: 200_000_000 });
    await importObjects(store, client, [after, side, fresh]);
    const pairs = [
      [top, base],
      [top, top],
      [base, top],
      [after, top],
      [after, side],
      [after, second],
      [merge, base],
      [side, top],
      [fresh, after],
      [after, fresh],
    ] as const;
    for (const [tip, old] of pairs) expect([tip, old, (await between(tip, old)).sort()]).toEqual([tip, old, revList(tip, old).sort()]);
    expect(await between(top, base)).toEqual(revList(top, base));
    const beyondBoth = (await walkBetween(store, after, [second, side])).map(({ oid }) => oid);
    expect(beyondBoth.sort()).toEqual(client.git("rev-list", after, `^${second}`, `^${side}`).split("\n").sort());
  });

  test("are limited by the number of reads and to existing commits", async () => {
    const line = Array.from({ length: 30 }, (_, index) => client.commit({ h: `${index}` }));
    await importObjects(store, client, [line.at(-1) ?? ""]);
    expect((await between(line.at(-1) ?? "", line[0] ?? "", 10)).length).toBeLessThanOrEqual(10);
    const parents = Array.from({ length: 40 }, (_, index) => client.git("commit-tree", "-m", `parent ${index}`, `${line[0]}^{tree}`));
    const merge = client.git("commit-tree", "-m", "merge", ...parents.flatMap((oid) => ["-p", oid]), `${line[0]}^{tree}`);
    await importObjects(store, client, [merge]);
    const read = new Set<string>();
    const cache: typeof store.shared.cache = {
      ...store.shared.cache,
      get: (key, kind, id) => {
        read.add(id);
        return store.shared.cache.get(key, kind, id);
      },
    };
    await walkBetween({ ...store, shared: { ...store.shared, cache } }, merge, line[0] ?? "", 10);
    expect(read.has(merge)).toBe(true);
    expect(read.size).toBeLessThanOrEqual(11);
    expect(await between("1".repeat(40), "2".repeat(40))).toEqual([]);
    expect(await between(line[2] ?? "", "2".repeat(40), 3)).toContain(line[2]);
  });
});
