import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { copyRows } from "../../src/app/copy-database.ts";
import { parsePostgresUrl } from "../../src/config/postgres-url.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { Db } from "../../src/db/db.ts";
import { checkIntegrity } from "../../src/db/integrity.ts";
import { migrate, schemaVersion } from "../../src/db/migrate.ts";
import { allMigrations } from "../../src/db/migrations/all.ts";
import { openPostgres } from "../../src/db/postgres.ts";
import { type CopiedRow, openRowSource } from "../../src/db/row-source.ts";
import { openSqlite } from "../../src/db/sqlite.ts";
import { checkIssueCounts } from "../../src/features/collaboration/issues/service/check.ts";
import { eachDialect, type TestDialect } from "../kit/databases.ts";
import { silentLog } from "../kit/logs.ts";
import { bundleProgram } from "../kit/program-bundle.ts";
import { type RecordedSchema, readRecordedSchema, recordedSchemas } from "../kit/recorded-schemas.ts";
import { runProgram } from "../kit/small-process.ts";

/** Upgrades of databases that earlier versions of the program have filled. */

type Differences = readonly string[];

interface Renames {
  readonly tableOf: (name: string) => string;
  readonly columnOf: (table: string, name: string) => string;
}

/** The tables and columns that later migrations have renamed. */
function renamesSince(schema: number): Renames {
  const tables = new Map<string, string>();
  const columns = new Map<string, string>();
  for (const { statements } of allMigrations.slice(schema))
    for (const statement of statements.filter((one) => typeof one === "string")) {
      const [, table = "", from, to = ""] = /^alter table (\w+) rename (?:column (\w+) )?to (\w+)$/.exec(statement) ?? [];
      if (table === "") continue;
      if (from === undefined) tables.set(table, to);
      else columns.set(`${table}.${from}`, to);
    }
  const tableOf = (name: string): string => tables.get(name) ?? name;
  return { tableOf, columnOf: (table, name) => columns.get(`${table}.${name}`) ?? columns.get(`${tableOf(table)}.${name}`) ?? name };
}

/** Compares the rows of a recorded schema with those of a database, in the columns that both have. */
async function differencesFrom(recorded: RecordedSchema, db: Db): Promise<Differences> {
  const source = await openRowSource(db);
  const { tableOf, columnOf } = renamesSince(recorded.schema);
  const differences: string[] = [];
  for (const [table, rows] of recorded.rows) {
    const present = source.tables.find(({ name }) => name === tableOf(table.name));
    if (present === undefined) {
      if (rows.length > 0) differences.push(`${table.name}: is gone`);
      continue;
    }
    const found: CopiedRow[] = [];
    for await (const page of source.read(present, { rows: 0 })) found.push(...page);
    const byKey = new Map(found.map((row) => [JSON.stringify(table.key.map((column) => row[present.columns.indexOf(columnOf(table.name, column))])), row]));
    const at = new Map(present.columns.map((column, position) => [column, position]));
    const gone = table.columns.filter((column) => !at.has(columnOf(table.name, column)));
    if (gone.length > 0 && rows.length > 0) differences.push(`${table.name}: without ${gone.join(", ")}`);
    for (const row of rows) {
      const now = byKey.get(JSON.stringify(table.key.map((column) => row[table.columns.indexOf(column)])));
      if (now === undefined) {
        differences.push(`${table.name}: a row is lost`);
        continue;
      }
      for (const [position, column] of table.columns.entries()) {
        const other = at.get(columnOf(table.name, column));
        if (other === undefined) continue;
        const [before, after] = [row[position], now[other]].map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value));
        if (before !== after) differences.push(`${table.name}.${column}: changed`);
      }
    }
  }
  return [...new Set(differences)].toSorted();
}

const openRaw = (dialect: TestDialect, url: string): Promise<Db> => {
  const options = { log: silentLog, clock: systemClock };
  return dialect.name === "postgres"
    ? openPostgres({ ...options, address: parsePostgresUrl(url), poolSize: 2 })
    : openSqlite({ ...options, path: url, mode: "exclusive" });
};

/** Changes of recorded rows that are the purpose of a migration, by the recorded schema. */
const intended: Readonly<Record<number, Differences>> = {
  // The totals are stored by kind.
  30: ["repository_totals.n: changed"],
};

/** Migrations that are killed at each statement. Earlier ones were while they were new, and do not change. */
const newest = 6;

const killedAt = async (url: string, id: number, step: number): Promise<void> => {
  const program = await bundleProgram("migrate-until-killed");
  const args = [program, url, String(id), String(step)];
  // A start with compiled code takes half the CPU time.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(dirname(program), "compiled") };
  const { code, signal, stderr } = await runProgram({ file: process.execPath, args, cwd: process.cwd(), env });
  expect([code, signal], stderr.toString()).toEqual([null, "SIGKILL"]);
};

eachDialect((dialect) => {
  for (const schema of recordedSchemas)
    test(`a database that the program wrote with ${schema} migrations is upgraded without a lost or changed row`, { timeout: 120_000 }, async () => {
      const recorded = readRecordedSchema(schema);
      expect([...recorded.rows.values()].filter((rows) => rows.length > 0).length).toBeGreaterThan(40);
      await using database = await dialect.createEmpty();
      await copyRows(recorded, database.url, silentLog, { isArchive: true });
      const db = await database.open();
      expect(await schemaVersion(db)).toBe(allMigrations.length);
      expect(await differencesFrom(recorded, db)).toEqual(intended[schema] ?? []);
      expect(await checkIntegrity(db)).toEqual([]);
      expect(await checkIssueCounts({ db })).toEqual([]);
    });

  test("each of the newest migrations that is killed at any statement is rolled back, keeps all rows, and runs again", {
    timeout: 300_000,
  }, async () => {
    const last = recordedSchemas.at(-1) ?? 0;
    const recorded = readRecordedSchema(last);
    await using database = await dialect.createEmpty();
    await copyRows(recorded, database.url, silentLog, { isArchive: true });
    const before = await openRaw(dialect, database.url);
    await migrate(before, silentLog, allMigrations.slice(0, -newest));
    await before.close();
    let kills = 0;
    for (const migration of allMigrations.slice(-newest)) {
      const steps = (migration.indexes?.length ?? 0) + migration.statements.length + 1;
      for (let step = 0; step <= steps; step += 1) {
        await killedAt(database.url, migration.id, step);
        kills += 1;
        const db = await openRaw(dialect, database.url);
        expect([await schemaVersion(db), await differencesFrom(recorded, db)]).toEqual([migration.id - 1, intended[last] ?? []]);
        if (step === steps) await migrate(db, silentLog, allMigrations.slice(0, migration.id));
        await db.close();
      }
    }
    expect(kills).toBeGreaterThan(10);
    const db = await database.open();
    expect(await differencesFrom(recorded, db)).toEqual(intended[last] ?? []);
    expect(await checkIntegrity(db)).toEqual([]);
  });
});
