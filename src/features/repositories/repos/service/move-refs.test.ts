import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { account, gitStore, repository } from "../../../../../test/kit/rows.ts";
import type { Db } from "../../../../db/db.ts";
import { maxRefs, type RefUpdate } from "../../refs/moves.ts";
import { getStore } from "../../refs/service/stores.ts";
import { moveRepositoryRefs, type RepositoryMoves, setDefaultBranch } from "./move-refs.ts";

const oid = (digit: number): string => digit.toString(16).repeat(40);
const update = (name: string, oldOid: string | null, newOid: string | null): RefUpdate => ({
  name,
  oldOid,
  newOid,
  type: newOid === null ? null : "commit",
  peeledOid: "",
  tipMs: 0,
});
const branch = (name: string): string => `refs/heads/${name}`;

interface World {
  readonly repoId: number;
  readonly storeId: number;
}

const newRepository = (db: Db): Promise<World> =>
  db.tx(async (tx) => {
    const ownerId = await account(tx, { name: "ada", name_folded: "ada" });
    const storeId = await gitStore(tx);
    return { storeId, repoId: await repository(tx, { owner_id: ownerId, code_store_id: storeId, name: "r", name_folded: "r" }) };
  });

const move = (db: Db, { repoId }: World, updates: readonly RefUpdate[], mode: "all" | "each" = "all"): Promise<RepositoryMoves> =>
  db.tx((tx) => moveRepositoryRefs(tx, { repoId, mover: { kind: "user", id: 1, isRepositoryAdmin: true }, via: "push", mode, updates }));

const rowOf = (db: Db, { repoId }: World) =>
  db.sql.selectFrom("repositories").select(["default_branch", "is_empty", "branches_count", "updated_ms"]).where("id", "=", repoId).executeTakeFirstOrThrow();
const headOf = async (db: Db, { storeId }: World): Promise<string | undefined> => (await getStore(db, storeId))?.headRef;
/** Whether the refs on disk are outdated. */
const isBehind = async (db: Db, { storeId }: World): Promise<boolean> => {
  const store = await getStore(db, storeId);
  return store !== undefined && store.projectedVersion < store.refsVersion;
};
const eventsOf = async (db: Db) =>
  (await db.sql.selectFrom("events").select(["type", "payload", "repo_id", "actor_id"]).orderBy("id").execute()).map((row) => ({
    ...row,
    payload: JSON.parse(row.payload),
  }));
const jobKinds = async (db: Db): Promise<string[]> => (await db.sql.selectFrom("jobs").select("kind").orderBy("kind").execute()).map(({ kind }) => kind);

eachDialect((dialect) => {
  describe("moving refs of a repository", () => {
    test("writes the row, the event and the jobs in the same transaction", async () => {
      await using database = await dialect.open({ clock: { now: () => 9_000 } });
      const { db } = database;
      const world = await newRepository(db);
      const updates = [update(branch("main"), null, oid(1)), update(branch("b"), null, oid(2)), update("refs/tags/v1", null, oid(1))];
      expect(await move(db, world, updates)).toMatchObject({ refused: [], isFirstPush: true, defaultBranch: "main" });
      expect(await rowOf(db, world)).toEqual({ default_branch: "main", is_empty: 0, branches_count: 2, updated_ms: 9_000 });
      expect(await eventsOf(db)).toEqual([
        {
          type: "refs.changed",
          repo_id: world.repoId,
          actor_id: 1,
          payload: {
            storeId: world.storeId,
            repoId: world.repoId,
            updates: updates.map(({ name, oldOid, newOid }) => ({ name, oldOid, newOid })),
            total: 3,
            via: "push",
            bringsNothing: true,
          },
        },
      ]);
      expect(await jobKinds(db)).toEqual(["repos.describe-content"]);
      expect(await isBehind(db, world)).toBe(true);

      expect(await move(db, world, [update(branch("b"), oid(2), null), update(branch("main"), oid(1), oid(3))])).toMatchObject({ isFirstPush: false });
      expect(await rowOf(db, world)).toMatchObject({ is_empty: 0, branches_count: 1 });
      await move(db, world, [update(branch("main"), oid(3), null)]);
      expect(await rowOf(db, world)).toMatchObject({ default_branch: "main", is_empty: 1, branches_count: 0 });
    });

    test.each([
      [["topic", "dev"], "topic"],
      [["topic", "master", "main2"], "master"],
      [["master", "main"], "main"],
    ])("after the first branches %j, the default branch is %s", async (pushed, expected) => {
      await using database = await dialect.open();
      const { db } = database;
      const world = await newRepository(db);
      await db.tx((tx) => setDefaultBranch(tx, world.repoId, "trunk"));
      const updates = pushed.map((name) => update(branch(name), null, oid(1)));
      expect(await move(db, world, updates)).toMatchObject({ defaultBranch: expected });
      expect(await rowOf(db, world)).toMatchObject({ default_branch: expected, is_empty: 0 });
      expect(await headOf(db, world)).toBe(branch(expected));
      // A later branch of the intended name does not change the default branch.
      await move(db, world, [update(branch("trunk"), null, oid(1))]);
      expect(await rowOf(db, world)).toMatchObject({ default_branch: expected });
    });

    test("a repository with only tags stays empty", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const world = await newRepository(db);
      expect(await move(db, world, [update("refs/tags/v1", null, oid(1))])).toMatchObject({ isFirstPush: false, defaultBranch: "main" });
      expect(await rowOf(db, world)).toMatchObject({ is_empty: 1, branches_count: 0 });
      expect(await jobKinds(db)).toEqual([]);
      expect(await isBehind(db, world)).toBe(true);
    });

    test("rejected updates and updates without effect leave no trace", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const world = await newRepository(db);
      await expect(move(db, world, [update(branch("a"), null, oid(1)), update(branch("b"), oid(1), oid(2))])).rejects.toMatchObject({ code: "conflict" });
      expect((await move(db, world, [update(branch("b"), oid(1), oid(2))], "each")).refused).toHaveLength(1);
      await move(db, world, [update(branch("none"), null, null)]);
      expect(await rowOf(db, world)).toMatchObject({ is_empty: 1, branches_count: 0, updated_ms: 1 });
      expect([await eventsOf(db), await jobKinds(db)]).toEqual([[], []]);
    });

    test("the event and the number of statements are bounded for any number of refs", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const world = await newRepository(db);
      await move(db, world, [update(branch("main"), null, oid(1))]);
      const statements = async (updates: readonly RefUpdate[]): Promise<number> => {
        const before = db.counters.statements;
        await move(db, world, updates);
        return db.counters.statements - before;
      };
      const one = await statements([update(branch("one"), null, oid(1))]);
      expect(await statements(Array.from({ length: 1_000 }, (_, index) => update(branch(`many/${index}`), null, oid(1))))).toBeLessThanOrEqual(one);
      expect(one).toBeLessThanOrEqual(9);
      const { payload } = (await eventsOf(db)).at(-1) ?? {};
      expect([payload.updates.length, payload.total]).toEqual([200, 1_000]);
      expect(await rowOf(db, world)).toMatchObject({ branches_count: 1_002 });
    });

    test("a repository with the maximum number of refs accepts no new ones, but they can be moved, deleted and replaced", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const world = await newRepository(db);
      await move(db, world, [update(branch("main"), null, oid(1))]);
      const filled = sql`
        with recursive n(i) as (select 3 union all select i + 1 from n where i < ${sql.lit(maxRefs)})
        select ${sql.lit(world.storeId)}, 'refs/tags/t' || i, ${sql.lit(oid(1))}, 'commit', '', 0, 0 from n`;
      const insert = sql`insert into refs (store_id, name, oid, type, peeled_oid, tip_ms, updated_ms) ${filled}`;
      await db.tx(async (tx) => void (await tx.sql.executeQuery(insert.compile(tx.sql))));

      expect(await move(db, world, [update(branch("last"), null, oid(1))])).toMatchObject({ refused: [] });
      const [one, moved] = [update(branch("one"), null, oid(1)), update(branch("main"), oid(1), oid(2))];
      expect(await move(db, world, [one, moved], "each")).toMatchObject({ moved: [{ name: moved.name }], refused: [{ update: one, reason: "too_many" }] });
      await expect(move(db, world, [one])).rejects.toMatchObject({ code: "invalid", message: expect.stringContaining(`at most ${maxRefs} refs`) });
      expect(await move(db, world, [update(branch("last"), oid(1), null), one])).toMatchObject({ refused: [] });
    });

    test("a deleted repository accepts no refs", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const world = await newRepository(db);
      await db.tx(async (tx) => void (await tx.sql.updateTable("repositories").set({ deleted_ms: 1 }).where("id", "=", world.repoId).execute()));
      await expect(move(db, world, [update(branch("main"), null, oid(1))])).rejects.toMatchObject({ code: "not_found" });
    });
  });

  describe("default branch", () => {
    test("can be set to an existing branch, or to any name while there are none", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const world = await newRepository(db);
      const choose = (name: string) => db.tx((tx) => setDefaultBranch(tx, world.repoId, name));
      expect(await choose("trunk")).toBe(true);
      expect(await headOf(db, world)).toBe(branch("trunk"));
      await move(db, world, [update(branch("trunk"), null, oid(1)), update(branch("b"), null, oid(1))]);
      expect(await choose("nosuch")).toBe(false);
      expect(await choose("b")).toBe(true);
      expect(await rowOf(db, world)).toMatchObject({ default_branch: "b" });
      expect(await headOf(db, world)).toBe(branch("b"));
    });
  });
});
