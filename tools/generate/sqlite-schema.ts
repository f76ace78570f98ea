import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "../../src/core/clock.ts";
import type { Log } from "../../src/core/log.ts";
import { migrate } from "../../src/db/migrate.ts";
import { allMigrations } from "../../src/db/migrations/all.ts";
import { openSqlite } from "../../src/db/sqlite.ts";

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Tables with rows that migrations insert. Triggers derive the rows of other tables from them. */
const tablesWithRows = ["accounts", "oauth2_applications"];

/** The statements that create what the migrations leave in an empty SQLite database: tables, indexes, triggers, rows. */
export async function makeSqliteSchema(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-schema-"));
  try {
    const path = join(folder, "hearth.db");
    const db = await openSqlite({ path, log: silent, clock: systemClock, mode: "exclusive" });
    // A copy of the list: the list itself would be replaced by the present file.
    await migrate(db, silent, [...allMigrations]);
    await db.close();
    return `${JSON.stringify({ migrations: allMigrations.length, statements: statementsOf(path) }, undefined, 2)}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function statementsOf(path: string): string[] {
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    // A virtual table creates its own tables.
    const created = file
      .prepare(
        `select sql from sqlite_master join pragma_table_list on pragma_table_list.name = tbl_name
         where sql is not null and sqlite_master.name not like 'sqlite_%' and pragma_table_list.type <> 'shadow'
         order by sqlite_master.type = 'trigger', sqlite_master.rowid`,
      )
      .all()
      .map(({ sql }) => String(sql));
    const rows = tablesWithRows.flatMap((table) => {
      const columns = file.prepare("select name from pragma_table_info(?)").all(table);
      const quoted = columns.map(({ name }) => `quote(${name})`).join(" || ', ' || ");
      const values = file.prepare(`select ${quoted} as text from ${table} order by rowid`).all();
      return values.map(({ text }) => `insert into ${table} (${columns.map(({ name }) => name).join(", ")}) values (${text})`);
    });
    return [...created, ...rows];
  } finally {
    file.close();
  }
}
