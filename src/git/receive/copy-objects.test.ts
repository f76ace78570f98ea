import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientRepository, createClient, importObjects, openTestStores, showRefs, type TestStores } from "../../../test/kit/git.ts";
import { verifyStore } from "../maintain/housekeeping.ts";
import { readCommit, readInfo, readObject } from "../objects/objects.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import type { KnownTips } from "./connectivity.ts";
import { copyObjectsFrom } from "./copy-objects.ts";

let kit: TestStores;
let work: ClientRepository;
let base: Oid;
beforeAll(async () => {
  kit = await openTestStores();
  work = createClient();
  base = work.commit({ "a.txt": "a", "d/b.txt": "b", "d/e/c.txt": "c" });
});
afterAll(async () => {
  work.remove();
  await kit.close();
});

const holding = async (...oids: Oid[]): Promise<GitStore> => {
  const store = kit.fresh();
  await importObjects(store, work, oids);
  // A worker is running, as in production.
  await readObject(store, oids[0] ?? "");
  return store;
};

/** Whether git finds all objects that a tip needs, and no faults. */
async function isWhole(store: GitStore, tip: Oid): Promise<boolean> {
  return (await verifyStore(await showRefs(store, { "refs/heads/main": tip }))).sound;
}

const processesOf = async (action: () => Promise<unknown>): Promise<number> => {
  const before = kit.stores.counters.processes;
  await action();
  return kit.stores.counters.processes - before;
};

describe("copying the objects of a tip", () => {
  test("needs no process for few objects, across merges and moved directories", async () => {
    const left = work.commit({ "d/e/c.txt": "changed", "moved/b.txt": "b" });
    work.git("checkout", "-q", "-f", "-b", "side", base);
    work.commit({ "x/y/z.txt": "new" });
    work.git("checkout", "-q", "-f", "main");
    work.git("merge", "-q", "--no-ff", "-m", "merge", "side");
    const tip = work.git("rev-parse", "HEAD");
    expect(tip).not.toBe(left);
    const [from, to] = [await holding(tip), await holding(base)];
    expect(await processesOf(() => copyObjectsFrom(from, to, { tipOids: [tip], knownOids: [base] }))).toBe(0);
    expect(await isWhole(to, tip)).toBe(true);
    // Existing objects are not copied again.
    expect(await copyObjectsFrom(from, to, { tipOids: [tip], knownOids: [base, tip] })).toEqual({ sizeBytes: 0 });
  });

  test("looks up the parents of few new commits instead of reading all refs", async () => {
    const commits = [1, 2, 3].map((value) => work.commit({ "d/b.txt": `b${value}` }));
    const tip = commits.at(-1) ?? "";
    const [from, to] = [await holding(tip), await holding(base, work.git("rev-parse", `${commits[0]}^`))];
    const asked: (readonly Oid[])[] = [];
    const known = new Set([base, work.git("rev-parse", `${commits[0]}^`)]);
    const tips: KnownTips = {
      among: async (oids) => {
        asked.push(oids);
        return new Set(oids.filter((oid) => known.has(oid)));
      },
      all: () => Promise.reject(new Error("all refs were read")),
    };
    await copyObjectsFrom(from, to, { tipOids: [tip], knownOids: tips });
    expect(asked).toHaveLength(4);
    expect(await isWhole(to, tip)).toBe(true);
  });

  test("works for unrelated histories and into an empty store", async () => {
    const [from, to] = [await holding(base), kit.fresh()];
    expect((await copyObjectsFrom(from, to, { tipOids: [base], knownOids: [] })).sizeBytes).toBeGreaterThan(0);
    expect(await isWhole(to, base)).toBe(true);
  });

  test("uses git to pack many objects as a difference", async () => {
    const shared = work.commit({ "shared.bin": randomBytes(3_000_000) });
    const to = await holding(shared);
    work.git("checkout", "-q", "-f", "-b", "big", shared);
    const tip = work.commit({ "noise.bin": randomBytes(2_500_000) });
    const ahead = work.commit({ "after.txt": "after" });
    const from = await holding(ahead);
    const { sizeBytes } = await copyObjectsFrom(from, to, { tipOids: [ahead], knownOids: [shared] });
    expect(sizeBytes).toBeGreaterThan(2_500_000);
    expect(sizeBytes).toBeLessThan(2_900_000);
    expect(await isWhole(to, ahead)).toBe(true);
    expect(await readCommit(to, tip)).toBeDefined();
  });

  test("works if the source does not know the target's tips", async () => {
    work.git("checkout", "-q", "-f", "-b", "ours", base);
    const ours = work.commit({ "ours.txt": "ours" });
    const to = await holding(ours);
    work.git("checkout", "-q", "-f", "-b", "many", base);
    const theirs = work.commit({ "noise.bin": randomBytes(2_200_000) });
    const from = await holding(theirs);
    await copyObjectsFrom(from, to, { tipOids: [theirs], knownOids: [ours] });
    expect(await isWhole(to, theirs)).toBe(true);
  });

  test.each([
    ["little", 100],
    ["much", 2_200_000],
  ])("needs no history for a tree, if it is %s", async (_name, sizeBytes) => {
    work.git("checkout", "-q", "-f", "-b", `tree-${sizeBytes}`, base);
    const tip = work.commit({ "noise.bin": randomBytes(sizeBytes) });
    const tree = work.git("rev-parse", "HEAD^{tree}");
    const [from, to] = [await holding(tip), kit.fresh()];
    await copyObjectsFrom(from, to, { tipOids: [tree], knownOids: [] });
    expect(await readInfo(to, work.git("rev-parse", "HEAD:d/e/c.txt"))).toBeDefined();
    expect(await readInfo(to, work.git("rev-parse", "HEAD:noise.bin"))).toMatchObject({ sizeBytes });
    expect(await readInfo(to, tip)).toBeUndefined();
    expect(await readInfo(to, base)).toBeUndefined();
  });

  test("does not copy other objects of the source", async () => {
    work.git("checkout", "-q", "-f", "-b", "secret", base);
    const secret = work.commit({ "secret.txt": "secret" });
    work.git("checkout", "-q", "-f", "-b", "open", base);
    const open = work.commit({ "open.txt": "open" });
    const [from, to] = [await holding(secret, open), await holding(base)];
    await copyObjectsFrom(from, to, { tipOids: [open], knownOids: [base] });
    expect(await readInfo(to, open)).toBeDefined();
    expect(await readInfo(to, secret)).toBeUndefined();
  });

  test("fails if the source lacks an object", async () => {
    const to = await holding(base);
    await expect(copyObjectsFrom(kit.fresh(), to, { tipOids: ["1".repeat(40)], knownOids: [base] })).rejects.toMatchObject({ code: "unavailable" });
  });
});
