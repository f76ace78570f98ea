import { sql } from "kysely";
import { unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Db, Reader } from "./db.ts";
import { migrate, schemaVersion } from "./migrate.ts";
import { allMigrations } from "./migrations/all.ts";
import type { PostgresDb } from "./postgres.ts";
import { tableExists } from "./postgres-catalogue.ts";

/** Exists while a copy into the database is incomplete, and records how far it is. */
export const copyTable = "database_copy";

/** @throws ForgeError `unavailable` if a copy into the database is incomplete */
export async function refuseIncompleteCopy(db: PostgresDb): Promise<void> {
  const { rows } = await sql`select 1 where ${tableExists(copyTable)}`.execute(db.sql);
  if (rows.length > 0)
    throw unavailable(
      "a copy into it is incomplete: run the command that began it again (`hearth database copy` or `hearth restore`), or use another database",
    );
}

/**
 * Marks an empty database as the target of a copy and creates the schema, or continues.
 * @param version number of the migrations of the source
 * @throws ForgeError `unavailable` if it has other tables, or this program is too old
 */
export async function prepareCopy(db: Db, log: Log, version: number = allMigrations.length): Promise<void> {
  if (version > allMigrations.length)
    throw unavailable(`the source has schema version ${version}, but this version of Hearth has ${allMigrations.length}: use the version that wrote it`);
  if (await requireEmpty(db)) {
    const type = db.dialect === "postgres" ? 'text collate "C"' : "text";
    await db.tx((tx) => tx.script(`create table ${copyTable} (name ${type} primary key, content text not null)`));
  }
  // An earlier schema is brought up to date after the rows are in it.
  if ((await schemaVersion(db)) < version) await migrate(db, log, allMigrations.slice(0, version));
}

/** @returns false if a copy has begun @throws ForgeError `unavailable` if it has other tables */
export async function requireEmpty(db: Reader): Promise<boolean> {
  const tables = await tablesOf(db);
  if (tables.includes(copyTable)) return false;
  if (tables.length > 0) throw unavailable(`it is not empty: it has the table ${tables[0]}; create an empty database for the copy`);
  return true;
}

async function tablesOf(db: Reader): Promise<readonly string[]> {
  const { rows } =
    db.dialect === "sqlite"
      ? await sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`.execute(db.sql)
      : await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema() order by tablename`.execute(db.sql);
  return rows.map(({ name }) => name);
}
