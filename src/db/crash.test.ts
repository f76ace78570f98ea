import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eachDialect, fullSqlite, type TestDatabase } from "../../test/kit/databases.ts";
import { silentLog } from "../../test/kit/logs.ts";
import { bundleProgram } from "../../test/kit/program-bundle.ts";
import { systemClock } from "../core/clock.ts";
import { createDispatcher } from "../events/dispatcher.ts";
import { checkSchema } from "./migrate.ts";

const rounds = 6;

/** Lets the program write and kills it after some acknowledgements, at a random point. @returns the acknowledged writes */
async function writeAndKill(url: string, first: number, acknowledgements: number, durability = "group"): Promise<number[]> {
  const child = spawn(process.execPath, [await bundleProgram("write-until-killed"), url, String(first), durability], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const acknowledged: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== "ready") acknowledged.push(Number(line));
    if (acknowledged.length === acknowledgements) child.kill("SIGKILL");
  }
  const [, signal] = await exited;
  expect(signal).toBe("SIGKILL");
  return acknowledged;
}

async function runToDeath(name: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [await bundleProgram(name), ...args], { stdio: ["ignore", "inherit", "inherit"] });
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
}

async function rowsIn(database: TestDatabase): Promise<Set<string>> {
  const db = await database.open();
  const rows = await db.sql.selectFrom("server_values").select("name").execute();
  if (db.dialect === "sqlite") expect((await sql`pragma integrity_check`.execute(db.sql)).rows).toEqual([{ integrity_check: "ok" }]);
  await db.close();
  return new Set(rows.map(({ name }) => name));
}

eachDialect((dialect) => {
  describe("a process killed during writes", () => {
    test(`keeps every acknowledged write, and no partial one, over ${rounds} kills`, async () => {
      await using database = await dialect.create();
      const acknowledged: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        acknowledged.push(...(await writeAndKill(database.url, round * 1_000_000, 20 + 37 * round)));
        const rows = await rowsIn(database);
        expect(acknowledged.filter((id) => !rows.has(`row ${id}`))).toEqual([]);
        const written = [...rows].filter((name) => name.startsWith("row "));
        expect(written.filter((name) => !rows.has(name.replace("row", "twin of")))).toEqual([]);
        expect(rows.size).toBe(2 * written.length);
      }
    }, 120_000);

    test("has every committed event delivered by the next process", async () => {
      await using database = await dialect.create();
      const acknowledged = await writeAndKill(database.url, 0, 150);
      const db = await database.open();
      const delivered: number[] = [];
      const dispatcher = createDispatcher({ db, clock: systemClock, log: silentLog });
      dispatcher.on("test", ["status.created"], async ({ payload }) => void delivered.push(payload.repoId));
      await dispatcher.start();
      await dispatcher.settled();
      await dispatcher.stop();
      const seen = new Set(delivered);
      expect(acknowledged.filter((id) => !seen.has(id))).toEqual([]);
    }, 60_000);
  });

  describe("a process killed during a migration", () => {
    test.each([
      ["old", "migration", 1],
      ["old", "migration", 2],
      ["old", "statement", 3],
      ["old", "statement", 12],
      ["empty", "statement", 1],
      ["empty", "statement", 3],
    ])("%s, after %s %i: the next one continues from there", async (from, unit, count) => {
      await using database = await dialect.createEmpty();
      await runToDeath("migrate-and-die", [database.url, from, unit, String(count)]);
      const db = await database.open();
      await checkSchema(db);
      const ids = (await db.sql.selectFrom("migrations").select("id").orderBy("id").execute()).map(({ id }) => id);
      expect(ids).toEqual(ids.map((_, index) => index + 1));
    });
  });
});

test("a process with full durability that is killed during writes keeps every acknowledged write, and no partial one", async () => {
  await using database = await fullSqlite.create();
  const acknowledged: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    acknowledged.push(...(await writeAndKill(database.url, round * 1_000_000, 20 + 37 * round, "full")));
    const rows = await rowsIn(database);
    expect(acknowledged.filter((id) => !rows.has(`row ${id}`))).toEqual([]);
    const written = [...rows].filter((name) => name.startsWith("row "));
    expect(written.filter((name) => !rows.has(name.replace("row", "twin of")))).toEqual([]);
  }
}, 60_000);
