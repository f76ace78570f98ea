import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eachDialect } from "../../test/kit/databases.ts";
import { account } from "../../test/kit/rows.ts";
import { anyOf } from "./any-of.ts";
import { compiled, compiledChange, compiledRows, type Slots } from "./compiled.ts";
import type { Tx } from "./db.ts";

eachDialect((dialect) => {
  describe("compiled queries", () => {
    test("each run is filled with its own values, including lists of any length", async () => {
      let built = 0;
      const find = compiled((db, given: Slots<{ ids: readonly number[]; kind: "user" | "organization" }>) => {
        built += 1;
        return db.sql
          .selectFrom("accounts")
          .select(["id", "name"])
          .where((eb) => anyOf(db, eb.ref("id"), given.ids))
          .where("kind", "=", given.kind)
          .orderBy("id");
      });
      await using database = await dialect.open();
      const { db } = database;
      const [ada = 0, ben = 0] = await db.tx(async (tx) => [
        await account(tx, { name: "ada", name_folded: "ada" }),
        await account(tx, { name: "ben", name_folded: "ben" }),
      ]);
      expect(await find(db, { ids: [ada, ben], kind: "user" })).toMatchObject([{ name: "ada" }, { name: "ben" }]);
      expect(await find(db, { ids: [ben], kind: "user" })).toMatchObject([{ name: "ben" }]);
      expect(await find(db, { ids: [], kind: "user" })).toEqual([]);
      expect(await find(db, { ids: [ada], kind: "organization" })).toEqual([]);
      expect(built).toBe(1);
    });

    test("a writing query returns its rows, and null stays null", async () => {
      const insert = compiled((tx: Tx, given: Slots<{ payload: string; repoId: number | null }>) =>
        tx.sql
          .insertInto("events")
          .values({ type: "x", payload: given.payload, repo_id: given.repoId, actor_id: 7, created_ms: 1 })
          .returning(["repo_id", "actor_id"]),
      );
      await using database = await dialect.open();
      const { db } = database;
      expect(await db.tx((tx) => insert(tx, { payload: "{}", repoId: null }))).toMatchObject([{ repo_id: null, actor_id: 7 }]);
      expect(await db.tx((tx) => insert(tx, { payload: "{}", repoId: 3 }))).toMatchObject([{ repo_id: 3, actor_id: 7 }]);
    });

    test("rows are written by one statement, which is built once for each small number of rows", async () => {
      const built: number[] = [];
      const insert = compiledRows((tx, rows: readonly Slots<{ name: string; nowMs: number }>[]) => {
        built.push(rows.length);
        return tx.sql
          .insertInto("topics")
          .values(rows.map(({ name, nowMs }) => ({ name, created_ms: nowMs, updated_ms: nowMs })))
          .returning("name");
      });
      await using database = await dialect.open();
      const { db } = database;
      const written: string[] = [];
      for (const count of [1, 2, 5, 1, 2, 5]) {
        const before = db.counters.statements;
        const given = Array.from({ length: count }, (_none, at) => ({ name: `topic-${written.length + at}`, nowMs: at }));
        const rows = await db.tx((tx) => insert(tx, given));
        expect(db.counters.statements - before).toBe(1);
        expect(rows.map(({ name }) => name).sort()).toEqual(given.map(({ name }) => name).sort());
        written.push(...rows.map(({ name }) => name));
      }
      expect(built).toEqual([1, 2, 5, 5]);
    });

    test("a change returns the number of rows that it wrote", async () => {
      const copy = compiledChange((tx: Tx, given: Slots<{ nowMs: number }>) =>
        tx.sql
          .insertInto("topics")
          .columns(["name", "created_ms", "updated_ms"])
          .expression((eb) =>
            eb
              .selectFrom("topics")
              .select([sql<string>`name || '-copy'`.as("name"), "created_ms", sql<number>`cast(${given.nowMs} as bigint)`.as("updated_ms")]),
          ),
      );
      await using database = await dialect.open();
      const { db } = database;
      expect(await db.tx((tx) => copy(tx, { nowMs: 1 }))).toBe(0);
      await db.tx((tx) =>
        tx.sql
          .insertInto("topics")
          .values(["a", "b", "c"].map((name) => ({ name, created_ms: 1, updated_ms: 1 })))
          .execute(),
      );
      expect(await db.tx((tx) => copy(tx, { nowMs: 2 }))).toBe(3);
    });

    test("a missing value throws a TypeError", async () => {
      const find = compiled((db, given: Slots<{ id: number }>) => db.sql.selectFrom("accounts").select("id").where("id", "=", given.id));
      await using database = await dialect.open();
      await expect(find(database.db, {} as { id: number })).rejects.toThrow("no value for id");
    });
  });
});
