import { sql } from "kysely";
import type { Reader } from "./db.ts";

/**
 * Problems in the database's structure; empty if it is intact. SQLite reads the entire file.
 * PostgreSQL checks pages as it reads them, and has its own tool (pg_amcheck) for the rest.
 */
export async function checkIntegrity(db: Reader): Promise<readonly string[]> {
  if (db.dialect !== "sqlite") return [];
  const pages = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db.sql);
  const orphans = await sql<{ table: string; rowid: number; parent: string }>`pragma foreign_key_check`.execute(db.sql);
  return [
    ...pages.rows.map((row) => row.integrity_check).filter((text) => text !== "ok"),
    ...orphans.rows.map((row) => `row ${row.rowid} of ${row.table} refers to a missing row of ${row.parent}`),
  ];
}
