import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { type Clock, systemClock } from "../core/clock.ts";
import { unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { Db } from "./db.ts";
import { type InstanceLock, takeInstanceLock } from "./instance-lock.ts";
import { checkSchema, migrate } from "./migrate.ts";
import { openPostgres } from "./postgres.ts";
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
  mkdirSync(dirname(path), { recursive: true });
  const lock = takeInstanceLock(`${path}-lock`);
  if (lock === undefined && options.role !== "tool") throw unavailable(`another Hearth process serves the database ${path}`);
  try {
    const db = await openSqlite({ path, log: options.log, clock: options.clock ?? systemClock, onStatement: options.onStatement });
    await closeOnFailure(db, () => (lock === undefined ? checkSchema(db) : migrate(db, options.log)));
    return lock === undefined ? db : releasing(db, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

async function openPostgresDatabase(options: OpenDatabaseOptions): Promise<Db> {
  const { url, log, clock = systemClock, poolSize = 10, onStatement } = options;
  const db = await openPostgres({ url, log, clock, poolSize, onStatement });
  await closeOnFailure(db, () => db.exclusively(() => migrate(db, options.log)));
  return db;
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
    async close() {
      await db.close();
      lock.release();
    },
  };
}
