import { existsSync } from "node:fs";
import { isPostgresUrl, parsePostgresUrl } from "../config/postgres-url.ts";
import { systemClock } from "../core/clock.ts";
import { isForgeError, unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { createChannels } from "./channels.ts";
import { type CopyTarget, suspendConstraints } from "./copy-tables.ts";
import { prepareCopy, requireEmpty } from "./copy-target.ts";
import type { Db } from "./db.ts";
import { openDatabase } from "./open.ts";
import { createQueryBuilder } from "./query-builder.ts";
import { openSqliteConnection } from "./sqlite-connection.ts";
import { createAttempt } from "./transaction.ts";

/** A batch of rows, and the indexes at the end, take longer than statements of requests. */
const limits = { statementTimeoutMs: 600_000, idleInTransactionMs: 600_000 };

/**
 * Creates the schema of a source in an empty database, or continues a copy that was interrupted. Foreign keys and triggers are off until
 * `finishCopy`.
 * @param url as for `openDatabase`; no server opens the file of an embedded database during the copy
 * @param schema number of migrations of the source
 * @throws ForgeError `unavailable` if the database has tables that no copy has created
 */
export async function openCopyTarget(url: string, schema: number, log: Log): Promise<CopyTarget> {
  const target = isPostgresUrl(url) ? await openDatabase({ url, log, limits, role: "copy", copiedSchema: schema }) : await openSqliteTarget(url, schema, log);
  try {
    await suspendConstraints(target);
    return target;
  } catch (error) {
    await target.close();
    throw error;
  }
}

/** Without the limits of a server: a transaction may take long. */
async function openSqliteTarget(path: string, schema: number, log: Log): Promise<CopyTarget> {
  const connection = openSqliteConnection(path, { enableForeignKeyConstraints: false });
  try {
    // Survives a kill of this process; the caller syncs the complete file.
    connection.exec("pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -65536");
    const channels = createChannels();
    const run = async (text: string, values: readonly unknown[]) => connection.run(text, values);
    const target: CopyTarget = {
      dialect: "sqlite",
      sql: createQueryBuilder("sqlite", run),
      async tx(work) {
        const attempt = createAttempt({ dialect: "sqlite", nowMs: Date.now(), channels, run, runScript: async (text) => connection.exec(text) });
        connection.exec("begin immediate");
        try {
          const value = await attempt.perform(work);
          connection.exec("commit");
          return value;
        } catch (error) {
          if (connection.isTransaction) connection.exec("rollback");
          throw error;
        } finally {
          attempt.end();
        }
      },
      async close() {
        if (!connection.isTransaction) connection.exec("pragma wal_checkpoint(truncate)");
        connection.close();
      },
    };
    await prepareCopy(target as Db, log, schema);
    return target;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Whether a file is an embedded database whose copy is complete. */
export async function isCompleteCopy(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  const connection = openSqliteConnection(path, {});
  try {
    const { rows } = connection.run("select name from sqlite_master where type = 'table' and name in ('migrations', 'database_copy')", []);
    return rows.length === 1 && (rows[0] as { name: string }).name === "migrations";
  } finally {
    connection.close();
  }
}

/**
 * Checks that rows can be copied into a PostgreSQL database, and changes nothing.
 * @throws ForgeError `unavailable` if it cannot be reached, or has tables that no copy has created
 */
export async function requireCopyTarget(url: string, log: Log): Promise<void> {
  const { openPostgres } = await import("./postgres.ts");
  let db: Db | undefined;
  try {
    db = await openPostgres({ address: parsePostgresUrl(url), log, clock: systemClock, poolSize: 1 });
    await requireEmpty(db);
  } catch (error) {
    const cause = isForgeError(error, "unavailable") ? (error.cause ?? error) : error;
    throw unavailable(`the PostgreSQL database cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, { cause: error });
  } finally {
    await db?.close();
  }
}
