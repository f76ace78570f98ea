import { expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { openStoreFixture } from "../../../../../test/kit/object-store-fixture.ts";
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
  });
});
