import { createHash, type Hash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { unavailable } from "../core/errors.ts";
import { copyTable } from "./copy-target.ts";
import type { Db, Reader, Tx } from "./db.ts";
import { isUniqueViolation } from "./errors.ts";
import { type OpenDatabaseOptions, openDatabase } from "./open.ts";

/** The rows of a table, in the order of its primary key. */
interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

interface Constraint {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

export interface CopiedTables {
  readonly tables: number;
  readonly rows: number;
}

/** PostgreSQL accepts 65,535 parameters in a statement. */
const maxParameters = 30_000;
const maxRows = 2_000;
/** The search indexes differ between the databases, and are built again. */
const searchTables: ReadonlySet<string> = new Set(["issue_texts", "comment_texts", "repository_texts", "account_texts"]);
const bookkeeping: ReadonlySet<string> = new Set(["migrations", copyTable]);

/**
 * Creates the schema in an empty PostgreSQL database, or continues a copy that was interrupted. Foreign keys and triggers are off until
 * {@link finishCopy}.
 * @throws ForgeError `unavailable` if the database has tables that no copy has created
 */
export async function beginCopy(url: string, options: Omit<OpenDatabaseOptions, "url" | "role">): Promise<Db> {
  const target = await openDatabase({ ...options, url, role: "copy" });
  try {
    const constraints = await sql<Constraint>`
      select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2`.execute(target.sql);
    if (constraints.rows.length > 0) {
      const tables = await targetTables(target);
      await target.tx(async (tx) => {
        for (const { table, name, definition } of constraints.rows) {
          await note(tx, `constraint ${table} ${name}`, { table, name, definition });
          await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx.sql);
        }
        for (const name of tables) await sql`alter table ${sql.table(name)} disable trigger user`.execute(tx.sql);
        // The schema contains rows, which the copy has too.
        await sql`truncate ${sql.join(tables.map((name) => sql.table(name)))}`.execute(tx.sql);
      });
    }
    return target;
  } catch (error) {
    await target.close();
    throw error;
  }
}

/**
 * Copies all rows, each batch in one transaction with the record of its last key, and compares the rows of both databases.
 * @throws ForgeError `unavailable` for a table that differs
 */
export async function copyTables(source: Db, target: Db): Promise<CopiedTables> {
  const tables = await describeTables(source, target);
  let rows = 0;
  for (const table of tables) await copyRows(source, target, table);
  for (const table of tables) {
    const [expected, copied] = [await digest(source, table), await digest(target, table)];
    if (expected.sum !== copied.sum) throw differs(table);
    rows += expected.rows;
  }
  return { tables: tables.length, rows };
}

/**
 * Restores ids, foreign keys and triggers in one transaction, after which the database is complete.
 * @param derive fills the tables that are not copied
 * @throws an error of the database for a broken foreign key
 */
export async function finishCopy(source: Db, target: Db, derive: (tx: Tx) => Promise<void>): Promise<void> {
  const next = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(source.sql);
  const tables = await targetTables(target);
  const kept = await sql<{ content: string }>`select content from ${sql.table(copyTable)} where name like 'constraint %' order by name`.execute(target.sql);
  await target.tx(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx.sql);
    await derive(tx);
    for (const { name, seq } of next.rows) {
      if (tables.includes(name)) await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${Math.max(seq, 1)}, ${seq > 0})`.execute(tx.sql);
    }
    for (const { content } of kept.rows) {
      const { table, name, definition } = JSON.parse(content) as Constraint;
      await tx.script(`alter table ${table} add constraint "${name}" ${definition}`);
    }
    for (const name of tables) await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx.sql);
    await sql`drop table ${sql.table(copyTable)}`.execute(tx.sql);
  });
}

const differs = ({ name }: CopiedTable, cause?: unknown): Error =>
  unavailable(`the table ${name} differs from its copy: one of them was changed after the copy began; start again with an empty database`, { cause });

const note = (tx: Tx, name: string, content: unknown): Promise<unknown> =>
  sql`insert into ${sql.table(copyTable)} (name, content) values (${name}, ${JSON.stringify(content)})
    on conflict (name) do update set content = excluded.content`.execute(tx.sql);

async function targetTables(target: Reader): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema() order by tablename`.execute(
    target.sql,
  );
  return rows.map(({ name }) => name).filter((name) => !bookkeeping.has(name));
}

async function describeTables(source: Reader, target: Reader): Promise<readonly CopiedTable[]> {
  const names = (await targetTables(target)).filter((name) => !searchTables.has(name));
  return Promise.all(
    names.map(async (name) => {
      const { rows } = await sql<{ name: string; pk: number }>`select name, pk from pragma_table_info(${name})`.execute(source.sql);
      if (rows.length === 0) throw new Error(`the embedded database has no table ${name}`);
      const key = rows.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
      return { name, columns: rows.map((column) => column.name), key: (key.length > 0 ? key : rows).map((column) => column.name) };
    }),
  );
}

type Row = Readonly<Record<string, unknown>>;

async function* pages(db: Reader, { name, columns, key }: CopiedTable, after: readonly unknown[] | undefined): AsyncGenerator<readonly Row[]> {
  const list = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map((column) => sql.ref(column)));
  const limit = Math.min(maxRows, Math.floor(maxParameters / columns.length));
  let last = after;
  for (;;) {
    const where = last === undefined ? sql`` : sql`where (${list(key)}) > (${sql.join(last)})`;
    const { rows } = await sql<Row>`select ${list(columns)} from ${sql.table(name)} ${where} order by ${list(key)} limit ${limit}`.execute(db.sql);
    if (rows.length > 0) yield rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < limit) return;
    last = key.map((column) => end[column]);
  }
}

async function copyRows(source: Reader, target: Db, table: CopiedTable): Promise<void> {
  const name = `table ${table.name}`;
  const kept = await sql<{ content: string }>`select content from ${sql.table(copyTable)} where name = ${name}`.execute(target.sql);
  const after = kept.rows[0] === undefined ? undefined : (JSON.parse(kept.rows[0].content) as readonly unknown[]);
  for await (const rows of pages(source, table, after)) {
    const values = rows.map((row) => sql`(${sql.join(table.columns.map((column) => row[column]))})`);
    const insert = async (tx: Tx): Promise<void> => {
      const columns = sql.join(table.columns.map((column) => sql.ref(column)));
      await sql`insert into ${sql.table(table.name)} (${columns}) values ${sql.join(values)}`.execute(tx.sql);
      await note(
        tx,
        name,
        table.key.map((column) => rows.at(-1)?.[column]),
      );
    };
    await target.tx(insert).catch((error: unknown) => {
      throw isUniqueViolation(error) ? differs(table, error) : error;
    });
  }
}

interface TableDigest {
  readonly rows: number;
  readonly sum: string;
}

async function digest(db: Reader, table: CopiedTable): Promise<TableDigest> {
  const hash: Hash = createHash("sha256");
  let count = 0;
  for await (const rows of pages(db, table, undefined)) {
    count += rows.length;
    for (const row of rows) hash.update(JSON.stringify(table.columns.map((column) => plain(row[column]))));
  }
  return { rows: count, sum: hash.digest("hex") };
}

/** Bytes differ in type between the drivers. */
const plain = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : (value ?? null));
