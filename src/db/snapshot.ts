import { join } from "node:path";
import { isPostgresUrl, parsePostgresUrl } from "../config/postgres-url.ts";
import { unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { dumpDatabase, dumpNames } from "./dump.ts";
import { integerTypes } from "./postgres-integers.ts";
import { createPostgresServers } from "./postgres-servers.ts";
import { createQueryBuilder } from "./query-builder.ts";
import { openRowSource, type RowSource } from "./row-source.ts";
import { openSqliteConnection } from "./sqlite-connection.ts";

/** The rows of a database at one moment, while a server may change it. */
export interface Snapshot extends RowSource, AsyncDisposable {}

export interface SnapshotOptions {
  /** As in `OpenDatabaseOptions`. */
  readonly url: string;
  /** An empty folder for a copy of an embedded database, on which the rows are read. */
  readonly scratch: string;
  readonly log: Log;
  readonly searchPath: string;
}

/** Does not migrate the schema, and does not block the server. @throws ForgeError `unavailable` */
export async function openSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  return isPostgresUrl(options.url) ? openPostgresSnapshot(options) : openSqliteSnapshot(options);
}

async function openSqliteSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  await dumpDatabase({ ...options, folder: options.scratch });
  return openSqliteFile(join(options.scratch, dumpNames.sqlite));
}

/** The rows of an embedded database that no server uses. @throws ForgeError `unavailable` */
export async function openSqliteFile(path: string): Promise<Snapshot> {
  try {
    const connection = openSqliteConnection(path, { readOnly: true });
    try {
      const source = await openRowSource({
        dialect: "sqlite",
        sql: createQueryBuilder("sqlite", async (text, values) => connection.run(text, values)),
      });
      return { ...source, [Symbol.asyncDispose]: async () => connection.close() };
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function openPostgresSnapshot({ url, log }: SnapshotOptions): Promise<Snapshot> {
  try {
    const client = await createPostgresServers(parsePostgresUrl(url), log).connect({ application_name: "hearth backup", types: integerTypes });
    try {
      await client.query("begin isolation level repeatable read read only");
      await client.query("set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0");
      const sql = createQueryBuilder("postgres", async (text, values) => {
        const { rows } = await client.query(text, [...values]);
        return { rows };
      });
      const source = await openRowSource({ dialect: "postgres", sql });
      return { ...source, [Symbol.asyncDispose]: () => client.end() };
    } catch (error) {
      await client.end();
      throw error;
    }
  } catch (error) {
    throw unreadable("PostgreSQL", error);
  }
}

const unreadable = (subject: string, cause: unknown): Error =>
  unavailable(`the rows of ${subject} cannot be read: ${cause instanceof Error ? ((cause.cause as Error | undefined) ?? cause).message : String(cause)}`, {
    cause,
  });
