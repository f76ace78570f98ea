import type { DialectName } from "./db.ts";
import { type ForeignDatabase, openForeignDatabase } from "./foreign-database.ts";
import { compareSchema } from "./migrate.ts";
import { allMigrations } from "./migrations/all.ts";
import type { Migration } from "./migrations/migration.ts";

export interface PlannedMigration {
  readonly id: number;
  readonly name: string;
  /** The number of migrations that a program must know to run with the schema afterwards; undefined if all can. */
  readonly oldestProgram: number | undefined;
  /** Rows of existing tables that its statements read or write, by table. A table counts once for each statement. */
  readonly rows: ReadonlyMap<string, number>;
}

export interface UpgradePlan {
  /** Migrations that the database has; 0 for an empty one. */
  readonly version: number;
  readonly pending: readonly PlannedMigration[];
}

/**
 * Reads the schema and counts rows, without a change.
 * @param url `sqlite:PATH`, or a URL as for `parsePostgresUrl`
 * @throws ForgeError `unavailable` if this program cannot run with the schema, or the database cannot be read
 */
export async function planUpgrade(url: string, migrations: readonly Migration[] = allMigrations): Promise<UpgradePlan> {
  const dialect: DialectName = url.startsWith("sqlite:") ? "sqlite" : "postgres";
  const database = await openForeignDatabase(url);
  try {
    if (!(await database.hasTable("migrations"))) return { version: 0, pending: [] };
    const applied = (await database.all("select * from migrations order by id")).map((row) => ({
      id: Number(row.id),
      name: String(row.name),
      oldestProgram: Number(row.oldest_program ?? 0),
    }));
    compareSchema(applied, migrations);
    const counts = new Map<string, number>();
    const pending: PlannedMigration[] = [];
    for (const migration of migrations.slice(applied.length)) pending.push(await plan(database, dialect, migration, counts));
    return { version: applied.length, pending };
  } finally {
    await database.close();
  }
}

async function plan(database: ForeignDatabase, dialect: DialectName, migration: Migration, counts: Map<string, number>): Promise<PlannedMigration> {
  const rows = new Map<string, number>();
  for (const statement of [...(migration.indexes ?? []), ...migration.statements]) {
    const text = typeof statement === "string" ? statement : statement[dialect];
    for (const table of text === null ? [] : tablesOf(text)) {
      if (!counts.has(table))
        counts.set(table, (await database.hasTable(table)) ? Number((await database.all(`select count(*) as n from ${table}`))[0]?.n) : 0);
      const count = counts.get(table) ?? 0;
      if (count > 0) rows.set(table, (rows.get(table) ?? 0) + count);
    }
  }
  return { id: migration.id, name: migration.name, oldestProgram: migration.oldestProgram, rows };
}

/** The tables whose rows a statement reads or writes. New columns, tables and triggers take no time. */
export function tablesOf(statement: string): readonly string[] {
  const text = statement.trim().toLowerCase();
  const [, indexed] = /^create (?:unique )?index (?:if not exists )?\w+ on (\w+)/.exec(text) ?? [];
  if (indexed !== undefined) return [indexed];
  if (!/^(?:update|delete|insert|with)\b/.test(text)) return [];
  const updated = /^update (\w+)/.exec(text)?.[1];
  const read = [...text.matchAll(/\b(?:from|join) (\w+)/g)].map(([, table = ""]) => table);
  return [...new Set([...(updated === undefined ? [] : [updated]), ...read])];
}
