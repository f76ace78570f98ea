import { sql } from "kysely";
import { unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { migrate, schemaVersion } from "./migrate.ts";
import { allMigrations } from "./migrations/all.ts";
import type { PostgresDb } from "./postgres.ts";

/** Exists while a copy into the database is incomplete, and records how far it is. */
export const copyTable = "database_copy";

/** @throws ForgeError `unavailable` if a copy into the database is incomplete */
export async function refuseIncompleteCopy(db: PostgresDb): Promise<void> {
  if ((await tablesOf(db)).includes(copyTable))
    throw unavailable("the copy of the embedded database into it is incomplete: run `hearth database copy` again, or use another database");
}

/** Marks an empty database as the target of a copy and creates the schema, or continues. @throws ForgeError `unavailable` if it has other tables */
export async function prepareCopy(db: PostgresDb, log: Log): Promise<void> {
  const tables = await tablesOf(db);
  if (!tables.includes(copyTable)) {
    if (tables.length > 0) throw unavailable(`it is not empty: it has the table ${tables[0]}; create an empty database for the copy`);
    await db.tx((tx) => tx.script(`create table ${copyTable} (name text collate "C" primary key, content text not null)`));
  }
  if ((await schemaVersion(db)) < allMigrations.length) await db.exclusively(() => migrate(db, log));
}

async function tablesOf(db: PostgresDb): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema() order by tablename`.execute(db.sql);
  return rows.map(({ name }) => name);
}
