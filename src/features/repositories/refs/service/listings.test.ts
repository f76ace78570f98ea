import { expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { openStoreFixture, type StoreFixture } from "../../../../../test/kit/object-store-fixture.ts";
import type { RefView } from "../model.ts";
import type { RefUpdate } from "../moves.ts";
import { readListing } from "../store/listing.ts";
import { markTidied } from "../store/stores.ts";
import { holdCommits } from "./hidden.ts";
import type { SlicedListing } from "./listings.ts";
import { moveStoreRefs, setHead } from "./move.ts";
import { findRefs } from "./read.ts";
import { createStore } from "./stores.ts";

const oidOf = (value: number): string => value.toString(16).padStart(40, "0");
const many = Array.from({ length: 2_500 }, (_, index) => `refs/heads/topic-${index}`);

async function move({ db }: StoreFixture, storeId: number, refs: Readonly<Record<string, string | null>>): Promise<void> {
  const present = await findRefs(db, storeId, Object.keys(refs));
  const updates = Object.entries(refs).map(([name, newOid]): RefUpdate => {
    const isTag = name.startsWith("refs/tags/");
    return { name, oldOid: present.get(name)?.oid ?? null, newOid, type: isTag ? "tag" : "commit", peeledOid: isTag ? oidOf(1) : "", tipMs: 5 };
  });
  await db.tx((tx) => moveStoreRefs(tx, storeId, updates, "all"));
}

async function storeWith(fixture: StoreFixture, names: readonly string[]): Promise<number> {
  const storeId = await fixture.db.tx((tx) => createStore(tx, { format: "sha1", defaultBranch: "main" }));
  await move(fixture, storeId, Object.fromEntries(names.map((name, index) => [name, oidOf(index + 1)])));
  return storeId;
}

const refsOf = (listing: SlicedListing | undefined): RefView[] => listing?.slices.flat() ?? [];

async function expectCurrent(fixture: StoreFixture, storeId: number): Promise<void> {
  const whole = await readListing(fixture.db, storeId, "all");
  const listing = await fixture.refListings.read(storeId, "all");
  expect({ ...listing, slices: undefined, refs: refsOf(listing) }).toEqual({ ...whole, slices: undefined });
}

eachDialect((dialect) => {
  test("a kept listing is brought up to date in one statement after moves, deletions, a new HEAD and hidden refs", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db, refListings } = fixture;
    const storeId = await storeWith(fixture, many);
    const first = await refListings.read(storeId, "all");
    expect(refsOf(first)).toHaveLength(many.length);

    await move(fixture, storeId, { "refs/heads/topic-7": oidOf(9_000), "refs/heads/topic-8": null, "refs/heads/new": oidOf(9_001) });
    await move(fixture, storeId, { "refs/heads/new": oidOf(9_002), "refs/tags/v1": oidOf(9_003) });
    await db.tx((tx) => setHead(tx, storeId, "refs/heads/new"));
    await db.tx((tx) => holdCommits(tx, storeId, [{ name: "deleted/1", oid: oidOf(9_004) }]));
    const { statements } = db.counters;
    const second = await refListings.read(storeId, "advertised");
    expect(db.counters.statements - statements).toBe(1);
    expect(refListings.counters).toEqual({ whole: 1, updated: 1 });
    expect(second).toMatchObject({ headRef: "refs/heads/new", version: (first?.version ?? 0) + 4 });
    const names = refsOf(second).map(({ name }) => name);
    expect(names).toContain("refs/heads/new");
    expect(names).not.toContain("refs/heads/topic-8");
    expect(names.filter((name) => name.startsWith("refs/hearth/"))).toEqual([]);
    expect(refsOf(await refListings.read(storeId, "tags")).map(({ name }) => name)).toEqual(["refs/tags/v1"]);
    await expectCurrent(fixture, storeId);
    expect(refListings.counters.whole).toBe(1);
  });

  test("a restored database that reaches the same version with other refs is read as a whole", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db, refListings } = fixture;
    const storeId = await storeWith(fixture, many);
    const restore = async (version: number): Promise<void> => {
      await db.tx(async (tx) => {
        await tx.sql.updateTable("git_stores").set({ refs_version: version, refs_token: 77 }).where("id", "=", storeId).execute();
        await tx.sql.deleteFrom("ref_moves").where("store_id", "=", storeId).where("version", ">", version).execute();
      });
    };
    await move(fixture, storeId, { "refs/heads/topic-1": oidOf(9_000) });
    const kept = await refListings.read(storeId, "all");
    for (const [later, whole] of [
      [1, 2],
      [2, 3],
    ] as const) {
      await restore((kept?.version ?? 0) - 1);
      for (let at = 0; at < later; at += 1) await move(fixture, storeId, { "refs/heads/topic-2": oidOf(9_100 + 10 * later + at) });
      await expectCurrent(fixture, storeId);
      expect(refListings.counters.whole).toBe(whole);
    }
    await move(fixture, storeId, { "refs/heads/topic-3": oidOf(9_200) });
    await expectCurrent(fixture, storeId);
    expect(refListings.counters.whole).toBe(3);
  });

  test("the slices of unmoved refs are the same objects after a move", async () => {
    await using fixture = await openStoreFixture(dialect);
    const storeId = await storeWith(fixture, many);
    const before = await fixture.refListings.read(storeId, "advertised");
    await move(fixture, storeId, { "refs/heads/topic-7": oidOf(9_000) });
    const after = await fixture.refListings.read(storeId, "advertised");
    expect(after?.slices.filter((slice) => !before?.slices.includes(slice))).toHaveLength(1);
  });

  test("a listing is read as a whole after a move of many refs, and after more versions than are recorded", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db, refListings } = fixture;
    const storeId = await storeWith(fixture, many);
    await refListings.read(storeId, "all");
    await move(fixture, storeId, Object.fromEntries(many.slice(0, 300).map((name) => [name, oidOf(9_000)])));
    await expectCurrent(fixture, storeId);
    expect(refListings.counters.whole).toBe(2);

    await db.tx((tx) => tx.sql.updateTable("git_stores").set({ refs_version: 5_000 }).where("id", "=", storeId).execute());
    await move(fixture, storeId, { "refs/heads/late": oidOf(9_001) });
    await db.tx((tx) => markTidied(tx, { id: storeId, writes: 1 }, 0));
    await expectCurrent(fixture, storeId);
    expect(refListings.counters.whole).toBe(3);
  });

  test("tidying deletes the records of old versions alone", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db } = fixture;
    const storeId = await storeWith(fixture, ["refs/heads/a"]);
    await db.tx((tx) => tx.sql.updateTable("git_stores").set({ refs_version: 1_500 }).where("id", "=", storeId).execute());
    await move(fixture, storeId, { "refs/heads/b": oidOf(2) });
    await db.tx((tx) => markTidied(tx, { id: storeId, writes: 2 }, 0));
    const recorded = await db.sql.selectFrom("ref_moves").select(["version", "name"]).where("store_id", "=", storeId).execute();
    expect(recorded).toEqual([{ version: 1_501, name: "refs/heads/b" }]);
  });

  test("refs below a prefix come from the kept listing in one statement, and from their range without one", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db, refListings } = fixture;
    const storeId = await storeWith(fixture, [...many, "refs/tags/v1", "refs/tags/v10", "refs/custom/x"]);
    await db.tx((tx) => holdCommits(tx, storeId, [{ name: "deleted/1", oid: oidOf(9_004) }]));
    const expectBelow = async (prefixes: readonly string[]): Promise<void> => {
      for (const prefix of prefixes) {
        const { statements } = db.counters;
        const slices = await refListings.readBelow(storeId, prefix);
        expect(db.counters.statements - statements, prefix).toBe(1);
        const expected = (await readListing(db, storeId, "all"))?.refs.filter(({ name }) => name.startsWith(prefix) && !name.startsWith("refs/hearth/"));
        expect(slices.flat(), prefix).toEqual(expected);
        expect(slices.filter(({ length }) => length === 0)).toEqual([]);
      }
    };
    const narrow = ["refs/tags/", "refs/tags/v1", "refs/c", "refs/heads/topic-77", "refs/heads/topic-2499", "refs/x", "refs/hearth/", "refs/heads/\u{1f600}"];
    await expectBelow(narrow);
    expect(refListings.counters).toEqual({ whole: 0, updated: 0 });
    await expectBelow(["refs/", "refs/heads/", ...narrow]);
    expect(refListings.counters).toEqual({ whole: 1, updated: 9 });
    expect(await refListings.readBelow(4_711, "refs/")).toEqual([]);
    expect(await refListings.readBelow(4_711, "refs/tags/")).toEqual([]);
  });

  test("a listing whose store is restored between its slices has the refs of one state", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db } = fixture;
    const names = Array.from({ length: 10_000 }, (_, index) => `refs/heads/topic-${index}`);
    const storeId = await storeWith(fixture, names);
    const listing = readListing(db, storeId, "all");
    // The restored state has the same version, another token, and no ref of the later slices.
    await db.tx(async (tx) => {
      await tx.sql.updateTable("git_stores").set({ refs_token: 77 }).where("id", "=", storeId).execute();
      await tx.sql.deleteFrom("refs").where("store_id", "=", storeId).where("name", ">", "refs/heads/topic-2").execute();
    });
    const { token, refs } = (await listing) ?? { token: 0, refs: [] };
    expect(token === 77).toBe(refs.length < names.length);
    expect(refs).toHaveLength(token === 77 ? ((await readListing(db, storeId, "all"))?.refs.length ?? -1) : names.length);
  });

  test("listings with few refs are not kept", async () => {
    await using fixture = await openStoreFixture(dialect);
    const storeId = await storeWith(fixture, many.slice(0, 10));
    for (const scope of ["all", "advertised", "all"] as const) await fixture.refListings.read(storeId, scope);
    expect(fixture.refListings.counters).toEqual({ whole: 3, updated: 0 });
    expect(await fixture.refListings.read(4_711, "all")).toBeUndefined();
  });

  test("concurrent reads and moves never return a listing that is older than the call", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { refListings } = fixture;
    const storeId = await storeWith(fixture, many);
    for (let round = 1; round <= 20; round += 1) {
      const reads = Array.from({ length: 3 }, () => refListings.read(storeId, "all"));
      await move(fixture, storeId, { "refs/heads/topic-1": oidOf(20_000 + round) });
      reads.push(refListings.read(storeId, "all"));
      const last = (await Promise.all(reads)).at(-1);
      expect(refsOf(last).find(({ name }) => name === "refs/heads/topic-1")?.oid).toBe(oidOf(20_000 + round));
    }
    await expectCurrent(fixture, storeId);
    expect(refListings.counters.whole).toBeLessThanOrEqual(3);
  });
});
