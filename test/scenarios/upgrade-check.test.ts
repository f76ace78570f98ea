import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { parsePostgresUrl } from "../../src/config/postgres-url.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { Db } from "../../src/db/db.ts";
import { migrate, schemaVersion } from "../../src/db/migrate.ts";
import { allMigrations } from "../../src/db/migrations/all.ts";
import { openPostgres } from "../../src/db/postgres.ts";
import { openSqlite } from "../../src/db/sqlite.ts";
import { tablesOf } from "../../src/db/upgrade-plan.ts";
import { eachDialect } from "../kit/databases.ts";
import { silentLog } from "../kit/logs.ts";
import { runProgram } from "../kit/program.ts";

eachDialect((dialect) => {
  test("the check lists what the next start does and changes nothing, and the start does it", async () => {
    await using opened = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "hearth-upgrade-"));
    opened.defer(() => rmSync(folder, { recursive: true, force: true }));
    const url = dialect.name === "postgres" ? opened.use(await dialect.createEmpty()).url : join(folder, "hearth.db");
    const settings = { HEARTH_DATA: folder, ...(dialect.name === "postgres" && { HEARTH_DATABASE_URL: url }) };
    const inDatabase = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
      const options = { log: silentLog, clock: systemClock };
      const db =
        dialect.name === "postgres"
          ? await openPostgres({ ...options, address: parsePostgresUrl(url), poolSize: 2 })
          : await openSqlite({ ...options, path: url, mode: "exclusive" });
      try {
        return await work(db);
      } finally {
        await db.close();
      }
    };
    const check = async () => {
      const { code, stdout, stderr } = await runProgram(["upgrade", "--check"], settings);
      return { code, lines: stdout.trim().split("\n"), stderr };
    };
    const [from, to] = [28, allMigrations.length];
    const versionOf = (): Promise<number> => inDatabase((db) => schemaVersion(db));
    await inDatabase(async (db) => {
      await migrate(db, silentLog, allMigrations.slice(0, from));
      await db.tx((tx) => tx.script("insert into topics (name, created_ms, updated_ms) values ('one', 1, 1), ('two', 1, 1)"));
    });

    const { code, lines, stderr } = await check();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(lines[0]).toBe(`the database has schema version ${from}, this program ${to}. The next start runs these migrations:`);
    expect(lines.slice(1, -2).map((line) => Number.parseInt(line, 10))).toEqual(allMigrations.slice(from).map(({ id }) => id));
    expect(lines.at(-2)).toMatch(/^estimated time: about a second, /);
    expect(lines.at(-1)).toMatch(/^(?:the program before can run with the new schema|programs before schema version \d+ cannot)/);
    expect(await versionOf()).toBe(from);

    expect((await runProgram(["doctor"], settings)).code).toBe(0);
    expect(await versionOf()).toBe(to);
    expect(await inDatabase(async (db) => (await db.sql.selectFrom("topics").select("name").orderBy("id").execute()).map(({ name }) => name))).toEqual([
      "one",
      "two",
    ]);
    expect(await check()).toMatchObject({ code: 0, lines: [`the database has schema version ${to}: the start changes nothing`] });

    await inDatabase((db) =>
      db.tx(
        async (tx) => void (await sql`insert into migrations (id, name, applied_ms, oldest_program) values (${to + 1}, 'later', 1, ${to + 1})`.execute(tx.sql)),
      ),
    );
    expect(await check()).toEqual({
      code: 1,
      lines: [""],
      stderr: `hearth: the database has schema version ${to + 1}, but this version of Hearth has version ${to}, and the schema supports only ${to + 1} and later: start the newer version again\n`,
    });
  }, 60_000);
});

test("the check without a database is refused in one line", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-upgrade-"));
  try {
    expect((await runProgram(["upgrade", "--check"], { HEARTH_DATA: folder })).stderr).toMatch(/^hearth: there is no database in \S+: set HEARTH_DATA .*\n$/);
    expect((await runProgram(["upgrade"], { HEARTH_DATA: folder })).stderr).toBe("hearth: usage: upgrade --check. The next start upgrades the database\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each([
  ["create unique index a_b on issues (b)", ["issues"]],
  ["update comments set x = 1", ["comments"]],
  ["insert into totals select a, count(*) from issues i join repositories r on r.id = i.repo_id", ["issues", "repositories"]],
  ["alter table issues add column x {int}", []],
  ["create table x (id {id}) {table}", []],
  ["create trigger t after insert on issues begin update issues set x = 1; end", []],
])("the rows of the tables count that %s reads or writes", (statement, tables) => {
  expect(tablesOf(statement)).toEqual(tables);
});
