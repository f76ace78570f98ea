import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import type { DialectName } from "../db/db.ts";
import { allMigrations } from "../db/migrations/all.ts";
import { type PlannedMigration, planUpgrade } from "../db/upgrade-plan.ts";

/** Rows that the statements of migrations read or write in a second: at best, and at worst. Measured by `npm run bench -- upgrade` (docs/performance.md). */
const measuredRates = { sqlite: { fast: 1_000_000, slow: 100_000 }, postgres: { fast: 400_000, slow: 20_000 } } as const;
type Rates = (typeof measuredRates)[DialectName];

/**
 * `hearth upgrade --check`: prints what the next start of this program does to the schema, and changes nothing. A server may be running.
 * @returns the exit code
 * @throws ConfigError, ForgeError `unavailable` if this program cannot run with the schema
 */
export async function checkUpgrade({ dataDirectory, database }: Config, print: (text: string) => number): Promise<number> {
  const file = join(dataDirectory, "hearth.db");
  const isEmbedded = database.url === "";
  if (isEmbedded && !existsSync(file)) throw new ConfigError(`there is no database in ${dataDirectory}: set HEARTH_DATA to the data folder of the server`);
  const { version, pending } = await planUpgrade(isEmbedded ? `sqlite:${file}` : database.url);
  if (version === 0) return print("the database is empty: the first start creates the schema\n");
  if (pending.length === 0) return print(`the database has schema version ${version}: the start changes nothing\n`);
  print(`the database has schema version ${version}, this program ${allMigrations.length}. The next start runs these migrations:\n`);
  const rates = measuredRates[isEmbedded ? "sqlite" : "postgres"];
  for (const migration of pending) print(`${lineOf(migration, rates)}\n`);
  const total = pending.reduce((sum, one) => sum + rowsOf(one), 0);
  print(`estimated time: ${rangeOf(total, rates)}, in which no request is answered. Space: a copy of the tables that are read or written, at most\n`);
  const oldest = pending.reduce((most, { oldestProgram = 0 }) => Math.max(most, oldestProgram), 0);
  const back =
    oldest === 0
      ? "the program before can run with the new schema"
      : `programs before schema version ${oldest} cannot run with the new schema: stop all of them, and keep a backup to go back`;
  return print(`${back}\n`);
}

const rowsOf = ({ rows }: PlannedMigration): number => [...rows.values()].reduce((sum, count) => sum + count, 0);

function lineOf(migration: PlannedMigration, rates: Rates): string {
  const tables = [...migration.rows].map(([table, rows]) => `${rows} of ${table}`);
  const work = tables.length === 0 ? "reads and writes no rows" : `reads or writes rows: ${tables.join(", ")}; ${rangeOf(rowsOf(migration), rates)}`;
  return `  ${migration.id} ${migration.name}: ${work}`;
}

function rangeOf(rows: number, { fast, slow }: Rates): string {
  const [least, most] = [Math.ceil(rows / fast), Math.ceil(rows / slow)];
  return most <= 1 ? "about a second" : `${least} to ${most} seconds`;
}
