import { expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { openStoreFixture } from "../../../../../test/kit/object-store-fixture.ts";
import { seededRandom } from "../../../../../test/kit/random.ts";
import type { RefUpdate } from "../moves.ts";
import { createRefMenus } from "./menus.ts";
import { moveStoreRefs } from "./move.ts";
import { refsVersionOf } from "./read.ts";
import { createStore } from "./stores.ts";

const oid = "1".padStart(40, "0");
const created = (name: string, tipMs: number): RefUpdate => ({ name, oldOid: null, newOid: oid, type: "commit", peeledOid: "", tipMs });

eachDialect((dialect) => {
  test("the menu of refs lists the default branch and the newest refs, with one statement after a ref moved and none until then", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db } = fixture;
    const codeStoreId = await db.tx((tx) => createStore(tx, { format: "sha1", defaultBranch: "main" }));
    const move = (updates: readonly RefUpdate[]): Promise<unknown> => db.tx((tx) => moveStoreRefs(tx, codeStoreId, updates, "all"));
    const many = Array.from({ length: 20 }, (_, at) => created(`refs/heads/topic-${at}`, 100 + at));
    await move([created("refs/heads/main", 1), created("refs/tags/v1", 2), created("refs/pull/1/head", 999), ...many]);
    const menus = createRefMenus({ db });
    const look = async () => {
      const repository = { codeStoreId, defaultBranch: "main", refsVersion: (await refsVersionOf(db, codeStoreId)) ?? 0 };
      const before = db.counters.statements;
      const refs = await menus.offer(repository);
      const { branches, tags } = await menus.count(repository);
      return { refs, counts: [branches.count, tags.count], statements: db.counters.statements - before };
    };

    const newest = Array.from({ length: 12 }, (_, at) => `topic-${19 - at}`);
    const first = { refs: { branches: ["main", ...newest], tags: ["v1"] }, counts: [21, 1] };
    expect(await look()).toEqual({ ...first, statements: 2 });
    expect(await look()).toEqual({ ...first, statements: 0 });

    await move([created("refs/heads/new", 500), created("refs/tags/v2", 3)]);
    const second = { refs: { branches: ["main", "new", ...newest.slice(0, 11)], tags: ["v2", "v1"] }, counts: [22, 2] };
    expect(await look()).toEqual({ ...second, statements: 2 });
    expect(await look()).toEqual({ ...second, statements: 0 });

    // Only without one of the newest branches can another one be in its place.
    await move([{ name: "refs/heads/new", oldOid: oid, newOid: null, type: "commit", peeledOid: "", tipMs: 0 }]);
    expect(await look()).toEqual({ refs: { branches: ["main", ...newest], tags: ["v2", "v1"] }, counts: [21, 2], statements: 3 });
  });

  test("the menu of refs that follows moves is the one that is read from all refs", async () => {
    await using fixture = await openStoreFixture(dialect);
    const { db } = fixture;
    const random = seededRandom(7);
    const codeStoreId = await db.tx((tx) => createStore(tx, { format: "sha1", defaultBranch: "main" }));
    const following = createRefMenus({ db });
    const present = new Set<string>();
    for (let round = 0; round < 60; round += 1) {
      const updates = new Map<string, RefUpdate>();
      for (let count = 1 + random(4); count > 0; count -= 1) {
        const name = `refs/${random(10) < 7 ? "heads" : "tags"}/${random(20)}`;
        const oldOid = present.has(name) ? oid : null;
        const isDeleted = oldOid !== null && random(10) < 3;
        updates.set(name, { ...created(name, random(30)), oldOid, newOid: isDeleted ? null : oid });
      }
      await db.tx((tx) => moveStoreRefs(tx, codeStoreId, [...updates.values()], "all"));
      for (const [name, { newOid }] of updates) {
        if (newOid === null) present.delete(name);
        else present.add(name);
      }
      const repository = { codeStoreId, defaultBranch: "main", refsVersion: (await refsVersionOf(db, codeStoreId)) ?? 0 };
      expect(await following.offer(repository), `round ${round}`).toEqual(await createRefMenus({ db }).offer(repository));
    }
  });
});
