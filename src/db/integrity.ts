import { sql } from "kysely";
import type { Reader } from "./db.ts";

/**
 * What is wrong with the database's own structure; nothing when it is whole. SQLite reads the whole file.
 * PostgreSQL checks its pages as it reads them and has a tool of its own (pg_amcheck) for the rest.
 */
export async function checkIntegrity(db: Reader): Promise<readonly string[]> {
  if (db.dialect !== "sqlite") return [];
  const pages = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db.sql);
  const orphans = await sql<{ table: string; rowid: number; parent: string }>`pragma foreign_key_check`.execute(db.sql);
  return [
    ...pages.rows.map((row) => row.integrity_check).filter((text) => text !== "ok"),
    ...orphans.rows.map((row) => `row ${row.rowid} of ${row.table} refers to a row of ${row.parent} that is not there`),
  ];
}
