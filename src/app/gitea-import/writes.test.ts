import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eachDialect } from "../../../test/kit/databases.ts";
import { newBatch } from "../../db/row-batch.ts";
import { openWrites } from "./writes.ts";

eachDialect((dialect) => {
  test.each([
    ["in memory", Number.POSITIVE_INFINITY],
    ["in a file", 0],
  ])("changes that are %s are made in their order, and again after a rollback", async (_place, memoryBytes) => {
    await using database = await dialect.open();
    const { db } = database;
    const folder = mkdtempSync(join(tmpdir(), "hearth-writes-"));
    try {
      using writes = openWrites(folder, memoryBytes);
      const names = Array.from({ length: 1_203 }, (_, at) => `topic-${at}`);
      const batch = newBatch();
      for (const [at, name] of names.entries()) batch.add("topics", { id: at + 1, name, repo_count: 0, created_ms: 1, updated_ms: 2 });
      writes.rows(batch);
      const more = newBatch();
      more.add("topics", { id: 5_000, name: "ü", repo_count: 1, created_ms: 1, updated_ms: 2 });
      writes.rows(more);
      const failed = db.tx(async (tx) => {
        await writes.run(tx);
        throw new Error("rolled back");
      });
      await expect(failed).rejects.toThrow("rolled back");
      await db.tx((tx) => writes.run(tx));
      const rows = await db.sql.selectFrom("topics").select("name").orderBy("id").execute();
      expect(rows.map(({ name }) => name)).toEqual([...names, "ü"]);
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
