import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { type Clock, systemClock } from "../core/clock.ts";
import { isForgeError, unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Db } from "./db.ts";
import { type InstanceLock, takeInstanceLock } from "./instance-lock.ts";
import { checkSchema, migrate, schemaVersion } from "./migrate.ts";
import { allMigrations } from "./migrations/all.ts";
import { openSqlite } from "./sqlite.ts";

export interface OpenDatabaseOptions {
  /** The path of a SQLite file, also as `sqlite:path`; or `postgres://user:password@host/database`. */
  readonly url: string;
  readonly log: Log;
  /** Dates transactions (`Tx.nowMs`). */
  readonly clock?: Clock;
  /**
   * `server` (the default) serves the database: alone, when it is SQLite. `tool` changes something beside a server that may be running
   * (then it leaves the schema of a SQLite database alone).
   */
  readonly role?: "server" | "tool";
  /** Sees the text of every statement that is counted. */
  readonly onStatement?: (sql: string) => void;
  /** Connections to PostgreSQL. */
  readonly poolSize?: number;
}

/**
 * Opens the database and brings its schema up to date.
 * @throws ForgeError `unavailable` with one clear line: in use by another process, newer than this program, out of reach
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Db> {
  return /^postgres(ql)?:\/\//.test(options.url) ? openPostgresDatabase(options) : openSqliteDatabase(options);
}

async function openSqliteDatabase(options: OpenDatabaseOptions): Promise<Db> {
  const path = options.url.replace(/^sqlite:(\/\/)?/, "");
  requireSqlite();
  const lock = await naming(`the database ${path}`, async () => {
    mkdirSync(dirname(path), { recursive: true });
    return takeInstanceLock(`${path}-lock`);
  });
  if (lock === undefined && options.role !== "tool")
    throw unavailable(`another Hearth process serves the database ${path}: stop it, or give this one a data folder of its own (HEARTH_DATA)`);
  try {
    const { log, clock = systemClock, onStatement } = options;
    const db = await naming(`the database ${path}`, () => openSqlite({ path, log, clock, onStatement, mode: lock === undefined ? "beside" : "alone" }));
    await closeOnFailure(db, () => (lock === undefined ? checkSchema(db) : migrate(db, log)));
    return lock === undefined ? db : releasing(db, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

async function openPostgresDatabase(options: OpenDatabaseOptions): Promise<Db> {
  const { url, log, clock = systemClock, poolSize = 10, onStatement } = options;
  // Its driver is no small part of a start, and most servers have no use for it.
  const { openPostgres } = await import("./postgres.ts");
  const db = await naming("PostgreSQL", () => openPostgres({ url, log, clock, poolSize, onStatement }));
  await closeOnFailure(db, async () => {
    // Most starts find nothing to do, and then need no lock.
    if ((await schemaVersion(db)) < allMigrations.length) await db.exclusively(() => migrate(db, log));
  });
  return db;
}

/** The first whose `wal_checkpoint(noop)` tells how far the log goes. */
const oldestSqlite = [3, 51] as const;

function requireSqlite(): void {
  const version = process.versions.sqlite ?? "0";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < oldestSqlite[0] || (major === oldestSqlite[0] && minor < oldestSqlite[1]))
    throw unavailable(
      `Node.js ${process.versions.node} comes with SQLite ${version}, and Hearth needs ${oldestSqlite.join(".")} or newer: use a newer Node.js`,
    );
}

/** Failures of a start say what failed and why: there is nobody to try again. */
async function naming<T>(subject: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const root = isForgeError(error, "unavailable") ? (error.cause ?? error) : error;
    throw unavailable(`${subject} cannot be opened: ${root instanceof Error ? root.message : String(root)}`, { cause: error });
  }
}

async function closeOnFailure(db: Db, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** The lock is held until the last byte is written. */
function releasing(db: Db, lock: InstanceLock): Db {
  return {
    dialect: db.dialect,
    sql: db.sql,
    counters: db.counters,
    tx: db.tx,
    listen: db.listen,
    beforeCommit: db.beforeCommit,
    join: db.join,
    async close() {
      await db.close();
      lock.release();
    },
  };
}
