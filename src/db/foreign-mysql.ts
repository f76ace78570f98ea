import type { Connection, ConnectionOptions } from "mysql2/promise";
import type { ForeignSource } from "./foreign-source.ts";

/** `verified`, `encrypted`: TLS with and without a check of the certificate. `preferred`: encrypted if the server supports it. */
const tlsModes = ["none", "preferred", "encrypted", "verified"] as const;
export type MysqlTls = (typeof tlsModes)[number];

export const isMysqlUrl = (url: string): boolean => url.startsWith("mysql://");

/**
 * Opens a MySQL or MariaDB without the right to change it.
 * @param url `mysql://user:password@host:port/name`, with `?socket=PATH` and `?tls=MODE` of `MysqlTls`
 */
export async function openForeignMysql(url: string): Promise<ForeignSource> {
  const connection = await connect(url);
  // The next statement reports a lost connection.
  connection.on("error", () => {});
  // Statements quote names as in standard SQL.
  await connection.query("set session sql_mode = 'ANSI_QUOTES'");
  await connection.query("set session transaction isolation level repeatable read");
  await connection.query("start transaction with consistent snapshot, read only");
  const all = async (statement: string, parameters: readonly (string | number)[] = []): Promise<readonly Record<string, unknown>[]> => {
    const [rows] = await connection.query(statement, [...parameters]);
    return rows as Record<string, unknown>[];
  };
  return {
    all,
    hasTable: async (name) => (await all("select 1 as n from information_schema.tables where table_schema = database() and table_name = ?", [name])).length > 0,
    close: () => connection.end(),
  };
}

async function connect(url: string): Promise<Connection> {
  const parsed = new URL(url);
  const [mode, socketPath] = [parsed.searchParams.get("tls") ?? "none", parsed.searchParams.get("socket") ?? ""];
  const tls = tlsModes.find((one) => one === mode);
  if (tls === undefined) throw new Error(`tls must be one of ${tlsModes.join(", ")}, not ${mode}`);
  const options: ConnectionOptions = {
    ...(socketPath === "" ? { host: parsed.hostname.replace(/^\[|\]$/g, ""), port: Number(parsed.port) || 3306 } : { socketPath }),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)),
    charset: "utf8mb4",
    // Rows are parsed by code of the package, not by generated code.
    disableEval: true,
    connectTimeout: 10_000,
  };
  // Loaded on demand: few servers are imported from MySQL.
  const mysql = (await import("mysql2/promise")).default;
  if (tls === "none") return mysql.createConnection(options);
  try {
    return await mysql.createConnection({ ...options, ssl: { rejectUnauthorized: tls === "verified" } });
  } catch (error) {
    if (tls !== "preferred" || (error as { readonly code?: unknown }).code !== "HANDSHAKE_NO_SSL_SUPPORT") throw error;
    return mysql.createConnection(options);
  }
}
