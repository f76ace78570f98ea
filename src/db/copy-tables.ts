import { sql } from "kysely";
import { unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { copyTable } from "./copy-target.ts";
import type { Db, Reader, Tx } from "./db.ts";
import { isUniqueViolation } from "./errors.ts";
import { migrate } from "./migrate.ts";
import { allMigrations } from "./migrations/all.ts";
import { type CopiedTable, digestRows, keyOf, listCopiedTables, openRowSource, type RowPosition, type RowSource, rowsAtOnce } from "./row-source.ts";

/** The database that receives a copy. */
export type CopyTarget = Pick<Db, "dialect" | "sql" | "tx" | "close">;

export interface CopiedTables {
  readonly tables: number;
  readonly rows: number;
}

/** A trigger or constraint that is off during the copy. */
interface Suspended {
  readonly name: string;
  /** Turns it on again. */
  readonly statement: string;
}

const suspendedPrefix = "suspended ";

/**
 * Turns foreign keys and triggers off until {@link finishCopy}, and removes the rows that belong to the schema, which the copy has too.
 * Does nothing if that was done before.
 */
export async function suspendConstraints(target: CopyTarget): Promise<void> {
  const done = await sql`select 1 from ${sql.table(copyTable)} limit 1`.execute(target.sql);
  if (done.rows.length > 0) return;
  const suspended = await (target.dialect === "sqlite" ? listTriggers(target) : listForeignKeys(target));
  const tables = await listCopiedTables(target);
  await target.tx(async (tx) => {
    await note(tx, "begun", true);
    for (const { drop, ...one } of suspended) {
      await note(tx, suspendedPrefix + one.name, one);
      await tx.script(drop);
    }
    if (target.dialect === "postgres") {
      for (const name of tables) await sql`alter table ${sql.table(name)} disable trigger user`.execute(tx.sql);
      await sql`truncate ${sql.join(tables.map((name) => sql.table(name)))} cascade`.execute(tx.sql);
    } else for (const name of tables) await sql`delete from ${sql.table(name)}`.execute(tx.sql);
  });
}

type Dropped = Suspended & { readonly drop: string };

async function listTriggers(target: Reader): Promise<readonly Dropped[]> {
  const { rows } = await sql<{ name: string; sql: string }>`select name, sql from sqlite_master where type = 'trigger' order by name`.execute(target.sql);
  return rows.map((row) => ({ name: row.name, statement: row.sql, drop: `drop trigger "${row.name}"` }));
}

async function listForeignKeys(target: Reader): Promise<readonly Dropped[]> {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2`.execute(target.sql);
  return rows.map(({ table, name, definition }) => ({
    name: `${table} ${name}`,
    statement: `alter table ${table} add constraint "${name}" ${definition}`,
    drop: `alter table ${table} drop constraint "${name}"`,
  }));
}

/**
 * Copies all rows, each batch in one transaction with the record of its position, and compares the rows of both databases.
 * @throws ForgeError `unavailable` for a table that differs
 */
export async function copyTables(source: RowSource, target: CopyTarget): Promise<CopiedTables> {
  const expected = await listCopiedTables(target);
  const names = source.tables.map(({ name }) => name);
  const odd = [...expected.filter((name) => !names.includes(name)), ...names.filter((name) => !expected.includes(name))];
  if (odd[0] !== undefined) throw unavailable(`the table ${odd[0]} is in one of the databases only: it was created by a different variant of Hearth`);
  let rows = 0;
  for (const table of source.tables) await copyRows(source, target, table);
  const copy = await openRowSource(target);
  for (const table of source.tables) {
    const wanted = await source.digest(table);
    const copied = await digestRows(copy.read(table, { rows: 0 }));
    if (wanted.sum !== copied.sum) throw differs(table);
    rows += wanted.rows;
  }
  return { tables: source.tables.length, rows };
}

/**
 * Restores ids, foreign keys and triggers, after which the rows are complete, and brings the schema up to date.
 * @param derive fills the tables that are not copied, in one transaction with the end of the copy. Undefined: they stay empty, and the schema is that of
 * the source
 * @throws an error of the database for a broken foreign key
 */
export async function finishCopy(
  source: Pick<RowSource, "lastIds">,
  target: CopyTarget,
  derive: ((tx: Tx) => Promise<void>) | undefined,
  log: Log,
): Promise<void> {
  const tables = await listCopiedTables(target);
  const kept = await sql<{ content: string }>`
    select content from ${sql.table(copyTable)} where name like ${`${suspendedPrefix}%`} order by name`.execute(target.sql);
  if (kept.rows.length > 0)
    await target.tx(async (tx) => {
      await unlimited(tx);
      for (const [name, last] of Object.entries(source.lastIds)) if (tables.includes(name)) await continueAfter(tx, name, last);
      for (const { content } of kept.rows) await tx.script((JSON.parse(content) as Suspended).statement);
      if (tx.dialect === "postgres") for (const name of tables) await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx.sql);
      await sql`delete from ${sql.table(copyTable)} where name like ${`${suspendedPrefix}%`}`.execute(tx.sql);
    });
  if (target.dialect === "sqlite") await requireForeignKeys(target);
  if (derive !== undefined) await migrate(target as Db, log, allMigrations);
  await target.tx(async (tx) => {
    await unlimited(tx);
    if (derive !== undefined) await deriveAgain(tx, derive);
    await sql`drop table ${sql.table(copyTable)}`.execute(tx.sql);
  });
}

async function deriveAgain(tx: Tx, derive: (tx: Tx) => Promise<void>): Promise<void> {
  for (const name of ["issue_texts", "comment_texts", "repository_texts", "account_texts"]) await sql`delete from ${sql.table(name)}`.execute(tx.sql);
  await derive(tx);
}

const unlimited = async (tx: Tx): Promise<unknown> => (tx.dialect === "postgres" ? sql`set local statement_timeout = 0`.execute(tx.sql) : undefined);

/** SQLite's table of the last ids. */
const lastIdTable = "sqlite_sequence";

async function continueAfter(tx: Tx, name: string, last: number): Promise<void> {
  if (tx.dialect === "postgres") {
    await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${Math.max(last, 1)}, ${last > 0})`.execute(tx.sql);
    return;
  }
  await sql`delete from ${sql.table(lastIdTable)} where name = ${name}`.execute(tx.sql);
  if (last > 0) await sql`insert into ${sql.table(lastIdTable)} (name, seq) values (${name}, ${last})`.execute(tx.sql);
}

async function requireForeignKeys(target: Reader): Promise<void> {
  const { rows } = await sql<{ table: string; parent: string }>`select "table", parent from pragma_foreign_key_check limit 1`.execute(target.sql);
  const broken = rows[0];
  if (broken !== undefined) throw unavailable(`a row of ${broken.table} refers to a row of ${broken.parent} that does not exist: the source is damaged`);
}

const differs = ({ name }: CopiedTable, cause?: unknown): Error =>
  unavailable(`the table ${name} differs from its copy: one of them was changed after the copy began; start again with an empty database`, { cause });

const note = (tx: Tx, name: string, content: unknown): Promise<unknown> =>
  sql`insert into ${sql.table(copyTable)} (name, content) values (${name}, ${JSON.stringify(content)})
    on conflict (name) do update set content = excluded.content`.execute(tx.sql);

async function copyRows(source: RowSource, target: CopyTarget, table: CopiedTable): Promise<void> {
  const name = `table ${table.name}`;
  const kept = await sql<{ content: string }>`select content from ${sql.table(copyTable)} where name = ${name}`.execute(target.sql);
  let position = kept.rows[0] === undefined ? { rows: 0 } : (JSON.parse(kept.rows[0].content) as RowPosition);
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  const limit = rowsAtOnce(table.columns.length);
  for await (const page of source.read(table, position))
    for (let at = 0; at < page.length; at += limit) {
      const rows = page.slice(at, at + limit);
      const last = rows.at(-1);
      if (last === undefined) continue;
      position = { rows: position.rows + rows.length, key: keyOf(table, last) };
      const values = rows.map((row) => sql`(${sql.join([...row])})`);
      const insert = async (tx: Tx): Promise<void> => {
        await sql`insert into ${sql.table(table.name)} (${columns}) values ${sql.join(values)}`.execute(tx.sql);
        await note(tx, name, position);
      };
      await target.tx(insert).catch((error: unknown) => {
        throw isUniqueViolation(error) ? differs(table, error) : error;
      });
    }
}
