import { sql } from "kysely";
import type { Reader } from "./db.ts";

/**
 * Problems in the database's structure; empty if it is intact. Both databases read all rows. PostgreSQL notices changed bytes in them only if
 * the cluster has data checksums; pg_amcheck also checks its indexes.
 */
export async function checkIntegrity(db: Reader): Promise<readonly string[]> {
  return db.dialect === "sqlite" ? checkSqlite(db) : checkPostgres(db);
}

/** Why {@link checkIntegrity} can miss damage; undefined if it finds all. */
export async function findBlindSpot(db: Reader): Promise<string | undefined> {
  if (db.dialect === "sqlite" || (await hasDataChecksums(db))) return undefined;
  return "PostgreSQL has no data checksums, so changed bytes in rows are not noticed: stop it, run `pg_checksums --enable --pgdata FOLDER`, and start it again";
}

/** Whether PostgreSQL notices rows that have changed on disk. */
export async function hasDataChecksums(db: Reader): Promise<boolean> {
  const { rows } = await sql<{ isEnabled: boolean }>`select current_setting('data_checksums')::boolean as "isEnabled"`.execute(db.sql);
  return rows[0]?.isEnabled === true;
}

async function checkPostgres(db: Reader): Promise<readonly string[]> {
  const tables = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema() order by tablename`.execute(db.sql);
  const problems: string[] = [];
  for (const { name } of tables.rows) {
    try {
      // The text of a row contains its values that are stored outside of it.
      await sql`select sum(length(t::text)) from ${sql.table(name)} as t`.execute(db.sql);
    } catch (error) {
      problems.push(`the table ${name} cannot be read: ${innermost(error)}`);
    }
  }
  return problems;
}

/** The message of the driver. */
const innermost = (error: unknown): string =>
  error instanceof Error ? (error.cause instanceof Error ? innermost(error.cause) : error.message) : String(error);

async function checkSqlite(db: Reader): Promise<readonly string[]> {
  const pages = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db.sql);
  const orphans = await sql<{ table: string; rowid: number; parent: string }>`pragma foreign_key_check`.execute(db.sql);
  return [
    ...pages.rows.map((row) => row.integrity_check).filter((text) => text !== "ok"),
    ...orphans.rows.map((row) => `row ${row.rowid} of ${row.table} refers to a missing row of ${row.parent}`),
  ];
}
