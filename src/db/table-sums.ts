import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Reader } from "./db.ts";

/** Sums of the rows of tables, by table. */
export type TableSums = Readonly<Record<string, string>>;

const rowsAtOnce = 2_000;

/**
 * Digests the rows of tables, so that a later call finds the tables that changed. Reads all rows in pages.
 * @param tables with the columns whose changes do not count
 */
export async function sumTables(db: Reader, tables: Readonly<Record<string, readonly string[]>>): Promise<TableSums> {
  const sums: Record<string, string> = {};
  for (const [table, ignored] of Object.entries(tables)) sums[table] = await sumTable(db, table, ignored);
  return sums;
}

type Row = Readonly<Record<string, unknown>>;

async function sumTable(db: Reader, table: string, ignored: readonly string[]): Promise<string> {
  const { columns, key } = await describeTable(db, table);
  const counted = columns.filter((name) => !ignored.includes(name)).toSorted();
  const list = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map((name) => sql.ref(name)));
  const hash = createHash("sha256");
  for (let last: readonly unknown[] | undefined; ; ) {
    const where = last === undefined ? sql`` : sql`where (${list(key)}) > (${sql.join(last)})`;
    const { rows } = await sql<Row>`select ${list(columns)} from ${sql.table(table)} ${where} order by ${list(key)} limit ${rowsAtOnce}`.execute(db.sql);
    for (const row of rows) hash.update(JSON.stringify(counted.map((name) => row[name] ?? null)));
    const end = rows.at(-1);
    if (end === undefined || rows.length < rowsAtOnce) return hash.digest("base64");
    last = key.map((name) => end[name]);
  }
}

/** The columns of a table, and those of its primary key in their order. */
export async function describeTable(db: Reader, table: string): Promise<{ readonly columns: readonly string[]; readonly key: readonly string[] }> {
  const { rows } =
    db.dialect === "sqlite"
      ? await sql<{ name: string; pk: number }>`select name, pk from pragma_table_info(${table})`.execute(db.sql)
      : await sql<{ name: string; pk: number }>`
          select a.attname as name, coalesce(array_position(i.indkey::int[], a.attnum::int), -1) + 1 as pk from pg_attribute a
          left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
          where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped`.execute(db.sql);
  const key = rows.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  return { columns: rows.map(({ name }) => name), key: key.map(({ name }) => name) };
}
