import { type Insertable, type Kysely, sql } from "kysely";
import type { Tx } from "./db.ts";
import { describeTable } from "./table-sums.ts";
import type { Tables } from "./tables.ts";

type TableName = keyof Tables & string;

/** Rows of any tables with their ids, in the order in which they are written. */
export interface Batch {
  add<T extends TableName>(table: T, row: Insertable<Tables[T]>): void;
  /** Number of rows of a table. */
  size(table: TableName): number;
  /** Appends another batch. */
  append(other: Batch): void;
  readonly tables: ReadonlyMap<TableName, readonly object[]>;
}

export function newBatch(): Batch {
  const tables = new Map<TableName, object[]>();
  const rowsOf = (table: TableName): object[] => {
    const rows = tables.get(table) ?? [];
    tables.set(table, rows);
    return rows;
  };
  return {
    tables,
    add: (table, row) => void rowsOf(table).push(row),
    size: (table) => tables.get(table)?.length ?? 0,
    append(other) {
      for (const [table, rows] of other.tables) for (const row of rows) rowsOf(table).push(row);
    },
  };
}

/** SQLite keeps the former pages of a statement in memory, so that it can be rolled back alone. */
const deletedAtOnce = 2_000;

/** @param condition in SQL; undefined for all rows */
export async function deleteRows(tx: Tx, table: TableName, condition = "1 = 1"): Promise<void> {
  const { key } = await describeTable(tx, table);
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const chosen = sql`select ${columns} from ${sql.table(table)} where ${sql.raw(condition)}`;
  const isEmpty = async (): Promise<boolean> => (await sql`${chosen} limit 1`.execute(tx.sql)).rows.length === 0;
  while (!(await isEmpty())) await sql`delete from ${sql.table(table)} where (${columns}) in (${chosen} limit ${deletedAtOnce})`.execute(tx.sql);
}

/** Databases accept some tens of thousands of parameters in a statement. */
const maxParameters = 20_000;
const maxRows = 500;

export async function writeBatch(tx: Tx, batch: Batch): Promise<void> {
  // The types of the rows were checked when they were added.
  const sql = tx.sql as unknown as Pick<Kysely<Record<string, Record<string, unknown>>>, "insertInto">;
  for (const [table, rows] of batch.tables) {
    const size = Math.min(maxRows, Math.floor(maxParameters / Math.max(1, Object.keys(rows[0] ?? {}).length)));
    for (let at = 0; at < rows.length; at += size) {
      await sql
        .insertInto(table)
        .values(rows.slice(at, at + size) as Record<string, unknown>[])
        .execute();
    }
  }
}
