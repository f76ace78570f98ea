import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { copyTable } from "./copy-target.ts";
import type { Reader } from "./db.ts";
import { describeTable } from "./table-sums.ts";

/** A table whose rows are copied, in the order of its primary key. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

/** A value of a column. Bytes are the only ones that JSON has no type for. */
export type CopiedValue = string | number | null | Uint8Array;
/** The values of a row, in the order of the columns. */
export type CopiedRow = readonly CopiedValue[];

/** How far a table has been read. */
export interface RowPosition {
  readonly rows: number;
  /** The key of the last row; undefined at the beginning. */
  readonly key?: readonly CopiedValue[] | undefined;
}

export interface TableDigest {
  readonly rows: number;
  /** SHA-256 of {@link rowText} of all rows. */
  readonly sum: string;
}

/** The rows of a database at one moment. */
export interface RowSource {
  /** Number of migrations of its schema. */
  readonly schema: number;
  /** In the order of their names. */
  readonly tables: readonly CopiedTable[];
  /** The last id that each table with generated ids has given. */
  readonly lastIds: Readonly<Record<string, number>>;
  read(table: CopiedTable, after: RowPosition): AsyncIterable<readonly CopiedRow[]>;
  digest(table: CopiedTable): Promise<TableDigest>;
}

/** PostgreSQL accepts 65,535 parameters in a statement. */
const maxParameters = 30_000;
const maxRows = 2_000;

/** Search indexes differ between the databases, and are built again. The others describe the database itself. */
const isCopied = (name: string): boolean =>
  !/^(issue|comment|repository|account)_texts(_|$)/.test(name) && !name.startsWith("sqlite_") && name !== "migrations" && name !== copyTable;

/** The names of the tables that a copy contains. */
export async function listCopiedTables(db: Reader): Promise<readonly string[]> {
  const { rows } =
    db.dialect === "sqlite"
      ? await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db.sql)
      : await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`.execute(db.sql);
  return rows
    .map(({ name }) => name)
    .filter(isCopied)
    .toSorted();
}

/** @param db a reader whose statements all see the same moment */
export async function openRowSource(db: Reader): Promise<RowSource> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from migrations`.execute(db.sql);
  const tables: CopiedTable[] = [];
  for (const name of await listCopiedTables(db)) {
    const { columns, key } = await describeTable(db, name);
    const sorted = columns.toSorted();
    tables.push({ name, columns: sorted, key: key.length > 0 ? key : sorted });
  }
  return {
    schema: Number(rows[0]?.count),
    tables,
    lastIds: await readLastIds(db),
    read: (table, { key }) => readPages(db, table, key),
    digest: (table) => digestRows(readPages(db, table, undefined)),
  };
}

async function readLastIds(db: Reader): Promise<Record<string, number>> {
  if (db.dialect === "sqlite") {
    const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(db.sql);
    return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]));
  }
  const { rows } = await sql<{ name: string; last: number | null }>`
    select c.relname as name, pg_sequence_last_value(pg_get_serial_sequence(quote_ident(c.relname), 'id')::regclass) as last
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'id' and a.attidentity <> ''
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace`.execute(db.sql);
  return Object.fromEntries(rows.map(({ name, last }) => [name, last ?? 0]));
}

const columnList = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map((name) => sql.ref(name)));

async function* readPages(db: Reader, { name, columns, key }: CopiedTable, after: readonly CopiedValue[] | undefined): AsyncGenerator<readonly CopiedRow[]> {
  const limit = rowsAtOnce(columns.length);
  const positions = key.map((column) => columns.indexOf(column));
  for (let last = after; ; ) {
    const where = last === undefined ? sql`` : sql`where (${columnList(key)}) > (${sql.join(last)})`;
    const { rows } = await sql<Readonly<Record<string, CopiedValue>>>`
      select ${columnList(columns)} from ${sql.table(name)} ${where} order by ${columnList(key)} limit ${limit}`.execute(db.sql);
    const page = rows.map((row) => columns.map((column) => row[column] ?? null));
    if (page.length > 0) yield page;
    const end = page.at(-1);
    if (end === undefined || page.length < limit) return;
    last = positions.map((at) => end[at] ?? null);
  }
}

/** Number of rows of a statement. */
export const rowsAtOnce = (columns: number): number => Math.min(maxRows, Math.floor(maxParameters / columns));

/** The values of the key in a row. */
export const keyOf = ({ columns, key }: CopiedTable, row: CopiedRow): readonly CopiedValue[] => key.map((column) => row[columns.indexOf(column)] ?? null);

/** A row as one line of JSON: bytes are an array with one Base64 text. */
export const rowText = (row: CopiedRow): string =>
  JSON.stringify(
    row.map((value) => (value instanceof Uint8Array ? [Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")] : value)),
  );

/** The opposite of {@link rowText}. */
export const readRowText = (text: string): CopiedRow =>
  (JSON.parse(text) as (string | number | null | [string])[]).map((value) => (Array.isArray(value) ? Buffer.from(value[0], "base64") : value));

export async function digestRows(pages: AsyncIterable<readonly CopiedRow[]>): Promise<TableDigest> {
  const hash = createHash("sha256");
  let rows = 0;
  for await (const page of pages) {
    rows += page.length;
    for (const row of page) hash.update(rowText(row));
  }
  return { rows, sum: hash.digest("hex") };
}

/** The texts of a column. */
export async function listValues(source: RowSource, table: string, column: string): Promise<ReadonlySet<string>> {
  const values = new Set<string>();
  const found = source.tables.find(({ name }) => name === table);
  if (found === undefined) return values;
  for await (const page of source.read(found, { rows: 0 })) noteValues(page, found.columns.indexOf(column), values);
  return values;
}

/** Adds the texts of a column of some rows. */
export function noteValues(rows: readonly CopiedRow[], column: number, values: Set<string>): void {
  for (const row of rows) {
    const value = row[column];
    if (typeof value === "string") values.add(value);
  }
}
