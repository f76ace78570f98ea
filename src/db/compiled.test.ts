import { describe, expect, test } from "vitest";
import { eachDialect } from "../../test/kit/databases.ts";
import { account } from "../../test/kit/rows.ts";
import { anyOf } from "./any-of.ts";
import { compiled, type Slots } from "./compiled.ts";
import type { Tx } from "./db.ts";

eachDialect((dialect) => {
  describe("queries that are built once", () => {
    test("each run is filled with its own values, lists of any length among them", async () => {
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

    test("one that writes answers what it returns, and null stays null", async () => {
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

    test("a value that is missing is a defect", async () => {
      const find = compiled((db, given: Slots<{ id: number }>) => db.sql.selectFrom("accounts").select("id").where("id", "=", given.id));
      await using database = await dialect.open();
      await expect(find(database.db, {} as { id: number })).rejects.toThrow("given no id");
    });
  });
});
