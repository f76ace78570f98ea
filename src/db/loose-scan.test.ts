import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eachDialect, onSqlite } from "../../test/kit/databases.ts";
import { looseScan } from "./loose-scan.ts";

const commenters = looseScan({
  table: "comments",
  key: "issue_id",
  value: "poster_id",
  where: sql`kind in ('comment', 'review') and poster_id is not null`,
  keys: sql`select 1 as k union all select 2`,
});

eachDialect((dialect) => {
  describe("loose index scan", () => {
    test("returns each distinct value of each key once, and none for a key without values", async () => {
      await using database = await dialect.open();
      const { db } = database;
      const entries = [
        [3, 7],
        [3, 7],
        [3, 5],
        [4, 9],
        [3, 8],
        [6, 1],
        [3, 5],
      ];
      await db.tx((tx) =>
        tx.sql
          .insertInto("events")
          .values(entries.map(([repo_id, actor_id]) => ({ type: "x", payload: "{}", repo_id, actor_id, created_ms: 1 })))
          .execute(),
      );
      const scan = looseScan({
        table: "events",
        key: "repo_id",
        value: "actor_id",
        where: sql`type = 'x'`,
        keys: sql`select 3 as k union all select 4 union all select 5`,
      });
      const { rows } = await sql<Record<string, number>>`select repo_id, actor_id from ${scan} found order by 1, 2`.execute(db.sql);
      expect(rows.map(({ repo_id, actor_id }) => [Number(repo_id), Number(actor_id)])).toEqual([
        [3, 5],
        [3, 7],
        [3, 8],
        [4, 9],
      ]);
    });
  });
});

onSqlite((dialect) => {
  test("finds the authors of a conversation without reading all of its comments", async () => {
    await using database = await dialect.open();
    const { rows } = await sql<{ detail: string }>`explain query plan select * from ${commenters} c`.execute(database.db.sql);
    const looks = rows.map(({ detail }) => detail).filter((detail) => detail.includes("comments"));
    expect(looks).toEqual([
      "SEARCH comments USING INDEX comments_participants (issue_id=? AND poster_id>?)",
      "SEARCH comments USING INDEX comments_participants (issue_id=? AND poster_id>?)",
    ]);
  });
});
