import { CompiledQuery } from "kysely";
import type { Db } from "../../src/db/db.ts";

/** Statements that scan a whole table in SQLite's query plan, whose cost grows with the database. @returns `table: statement` for each */
export async function tableScans(db: Db, statements: Iterable<string>): Promise<string[]> {
  const scans: string[] = [];
  for (const statement of new Set(statements)) {
    const { rows } = await db.sql.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${statement}`));
    for (const { detail } of rows) {
      const table = /^SCAN (\w+)$/.exec(detail)?.[1];
      if (table !== undefined) scans.push(`${table}: ${statement}`);
    }
  }
  return scans;
}
