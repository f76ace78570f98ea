import { describe, expect, test } from "vitest";
import { eachDialect } from "../../test/kit/databases.ts";
import type { Tx } from "./db.ts";

const addTopic = (tx: Tx, name: string) => tx.sql.insertInto("topics").values({ name, created_ms: 1, updated_ms: 2 }).returning("id").executeTakeFirstOrThrow();

eachDialect((dialect) => {
  describe("transactions", () => {
    test("what a transaction wrote is there when it resolves", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const { id } = await db.tx((tx) => addTopic(tx, "git"));
      expect(await db.sql.selectFrom("topics").selectAll().where("id", "=", id).executeTakeFirst()).toEqual({
        id,
        name: "git",
        repo_count: 0,
        created_ms: 1,
        updated_ms: 2,
      });
    });
  });
});
