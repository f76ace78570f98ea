import { sql } from "kysely";
import type { Tx } from "./db.ts";

/** Generates ids after those of rows that were written with their ids. SQLite does so by itself. */
export async function continueIds(tx: Tx): Promise<void> {
  if (tx.dialect === "sqlite") return;
  const { rows } = await sql<{ name: string; sequence: string }>`
    select table_name as name, pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence from information_schema.columns
    where table_schema = current_schema() and column_name = 'id' and pg_get_serial_sequence(quote_ident(table_name), column_name) is not null
    order by table_name`.execute(tx.sql);
  for (const { name, sequence } of rows) await sql`select setval(${sequence}, max(id)) from ${sql.table(name)} having max(id) is not null`.execute(tx.sql);
}
