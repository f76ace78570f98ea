import { sql } from "kysely";
import { expect, test } from "vitest";
import { eachDialect, onPostgres } from "../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../test/kit/forge.ts";
import { changedNow } from "../../../../db/update-time.ts";
import { separateUpdates, touchCommented } from "./rows.ts";

onPostgres((dialect) => {
  test("comments on an issue within an interval leave all indexes of issues as they are", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    const repoId = (await alice.post("/user/repos", { name: "demo" }).expect(201)).id as number;
    const { id } = await alice.post("/repos/alice/demo/issues", { title: "discussed" }).expect(201);
    const { db } = forge.context;
    const updates = await db.tx(async (tx) => {
      const counted = sql<{ all: number; hot: number }>`select n_tup_upd as all, n_tup_hot_upd as hot from pg_stat_xact_user_tables where relname = 'issues'`;
      const at = (nowMs: number) => touchCommented({ ...tx, nowMs }, { id, repoId });
      await at(20_000);
      const before = (await counted.execute(tx.sql)).rows[0];
      for (let ms = 20_001; ms < 30_000; ms += 500) await at(ms);
      const after = (await counted.execute(tx.sql)).rows[0];
      return { all: Number(after?.all) - Number(before?.all), hot: Number(after?.hot) - Number(before?.hot) };
    });
    expect(updates).toEqual({ all: 20, hot: 20 });
    const { updated_at } = await alice.get("/repos/alice/demo/issues/1").expect(200);
    expect(updated_at).toBe("1970-01-01T00:00:29Z");
  });
});

eachDialect((dialect) => {
  test("the database that replaces another kind of database orders issues by the exact times of their changes", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "demo" }).expect(201);
    const { db } = forge.context;
    for (const [title, ms] of [
      ["second", 2_000],
      ["third", 3_000],
      ["first", 1_000],
    ] as const) {
      const { id } = await alice.post("/repos/alice/demo/issues", { title }).expect(201);
      // As PostgreSQL stores it.
      const times = changedNow({ dialect: "postgres", nowMs: ms });
      await db.tx((tx) => tx.sql.updateTable("issues").set(times).where("id", "=", id).execute());
    }
    await db.tx((tx) => separateUpdates(tx));
    const issues: { title: string; updated_at: string }[] = await alice.get("/repos/alice/demo/issues?sort=leastupdate").expect(200);
    expect(issues.map(({ title, updated_at }) => [title, updated_at])).toEqual([
      ["first", "1970-01-01T00:00:01Z"],
      ["second", "1970-01-01T00:00:02Z"],
      ["third", "1970-01-01T00:00:03Z"],
    ]);
  });
});
