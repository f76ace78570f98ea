import { DatabaseSync, type StatementSync } from "node:sqlite";
import { parsePostgresUrl } from "../config/postgres-url.ts";
import { unavailable } from "../core/errors.ts";
import { isMysqlUrl, openForeignMysql } from "./foreign-mysql.ts";
import type { ForeignSource } from "./foreign-source.ts";

export type ForeignValue = string | number | Buffer | null;
export type ForeignRow = Readonly<Record<string, ForeignValue>>;

/** The database of another program, which is only read. Booleans are 0 or 1. */
export interface ForeignDatabase {
  /** @param statement with `?` for each parameter. @throws ForgeError `unavailable` */
  all(statement: string, parameters?: readonly (string | number)[]): Promise<readonly ForeignRow[]>;
  /** Whether it has a table. */
  hasTable(name: string): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens a database without the right to change it. All reads see one state.
 * @param url `sqlite:PATH`, or a URL as for `parsePostgresUrl` or `openForeignMysql`
 * @param schema of PostgreSQL; empty: that of its user
 * @throws ForgeError `unavailable` with one line
 */
export async function openForeignDatabase(url: string, schema = ""): Promise<ForeignDatabase> {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  const source = await named(async () => {
    if (path !== undefined) return openForeignSqlite(path);
    return isMysqlUrl(url) ? openForeignMysql(url) : openForeignPostgres(url, schema);
  });
  return {
    all: (statement, parameters) => named(async () => (await source.all(statement, parameters)).map(plainRow)),
    hasTable: (name) => named(() => source.hasTable(name)),
    close: () => source.close(),
  };
}

async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(`the database to import cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Lists of ids have many lengths. */
const maxPrepared = 200;

function openForeignSqlite(path: string): ForeignSource {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  database.exec("begin");
  // The engine does not count the memory of a statement, which is freed at the next collection of all garbage.
  const prepared = new Map<string, StatementSync>();
  const prepare = (statement: string): StatementSync => {
    const known = prepared.get(statement) ?? database.prepare(statement);
    prepared.delete(statement);
    prepared.set(statement, known);
    for (const oldest of prepared.keys()) {
      if (prepared.size <= maxPrepared) break;
      prepared.delete(oldest);
    }
    return known;
  };
  const all = (statement: string, parameters: readonly (string | number)[] = []): readonly Record<string, unknown>[] =>
    prepare(statement).all(...parameters) as Record<string, unknown>[];
  return {
    all: async (statement, parameters) => all(statement, parameters),
    hasTable: async (name) => all("select 1 as n from sqlite_master where type = 'table' and name = ?", [name]).length > 0,
    async close() {
      database.close();
    },
  };
}

async function openForeignPostgres(url: string, schema: string): Promise<ForeignSource> {
  // Loaded on demand, as for the server's own database.
  const [{ default: pg }, { tlsOptions }] = await Promise.all([import("pg"), import("./postgres-servers.ts")]);
  const { hosts, tls, ...credentials } = parsePostgresUrl(url);
  const getTypeParser = (oid: number, format?: "text" | "binary") => (oid === int8 ? Number : pg.types.getTypeParser(oid, format as "text"));
  const client = new pg.Client({
    ...credentials,
    ...hosts[0],
    ssl: tlsOptions(tls),
    application_name: "hearth import",
    types: { getTypeParser: getTypeParser as typeof pg.types.getTypeParser },
  });
  // The next statement reports a lost connection.
  client.on("error", () => {});
  await client.connect();
  await client.query("begin isolation level repeatable read read only");
  if (schema !== "") await client.query("select set_config('search_path', $1, true)", [JSON.stringify(schema)]);
  const all = async (statement: string, parameters: readonly (string | number)[] = []): Promise<readonly Record<string, unknown>[]> => {
    let count = 0;
    const text = statement.replaceAll("?", () => `$${++count}`);
    return (await client.query<Record<string, unknown>>(text, [...parameters])).rows;
  };
  return {
    all,
    hasTable: async (name) =>
      (await all("select 1 as n from information_schema.tables where table_schema = current_schema() and table_name = ?", [name])).length > 0,
    close: () => client.end(),
  };
}

/** The type of ids and times in PostgreSQL, which the driver returns as text. */
const int8 = 20;

/** Drivers make a new object for each row, which is changed: an import reads millions of rows, and copies would fill the memory. */
function plainRow(row: Record<string, unknown>): ForeignRow {
  for (const name in row) {
    const value = row[name];
    if (typeof value !== "string" && typeof value !== "number") row[name] = plainValue(value);
  }
  return row as ForeignRow;
}

function plainValue(value: unknown): ForeignValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (value instanceof Date) return Math.floor(value.getTime() / 1_000);
  return typeof value === "string" || typeof value === "number" ? value : null;
}
