import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { sql } from "kysely";
import { isPostgresUrl, parsePostgresUrl } from "../config/postgres-url.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { isForgeError, unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { prepareCopy, refuseIncompleteCopy } from "./copy-target.ts";
import type { Db, StatementListener } from "./db.ts";
import { type InstanceLock, takeInstanceLock } from "./instance-lock.ts";
import { checkSchema, migrate, schemaVersion } from "./migrate.ts";
import { allMigrations } from "./migrations/all.ts";
import type { PostgresLimits } from "./postgres.ts";
import { openSqlite, type SqliteDurability } from "./sqlite.ts";
import type { LogFollower } from "./sqlite-follow.ts";

export interface OpenDatabaseOptions {
  /** Path of a SQLite file, with or without the prefix `sqlite:`; or a URL as for `parsePostgresUrl`. */
  readonly url: string;
  readonly log: Log;
  /** Source of transaction times (`Tx.nowMs`). */
  readonly clock?: Clock;
  /**
   * `server` (the default) serves the database, exclusively with SQLite. `tool` changes data next to a possibly running server (and then
   * does not change the schema of a SQLite database). `copy` fills a PostgreSQL database with the rows of another one.
   */
  readonly role?: "server" | "tool" | "copy";
  /** With the role `copy`: number of migrations of the source. */
  readonly copiedSchema?: number;
  /** Durability of commits of a SQLite database; `group` by default. */
  readonly durability?: SqliteDurability;
  /** Called for every counted statement. */
  readonly onStatement?: StatementListener;
  /** Receives the durable transactions of a SQLite database with the durability `group`. */
  readonly follower?: LogFollower | undefined;
  /** Limits for PostgreSQL. */
  readonly limits?: PostgresLimits;
}

/**
 * Opens the database and migrates its schema.
 * @throws ForgeError `unavailable` with a one-line message: in use by another process, newer than this program, unreachable
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Db> {
  return isPostgresUrl(options.url) ? openPostgresDatabase(options) : openSqliteDatabase(options);
}

async function openSqliteDatabase(options: OpenDatabaseOptions): Promise<Db> {
  const path = options.url.replace(/^sqlite:(\/\/)?/, "");
  requireSqlite();
  const lock = await naming(`the database ${path}`, async () => {
    mkdirSync(dirname(path), { recursive: true });
    return takeInstanceLock(`${path}-lock`);
  });
  if (lock === undefined && options.role !== "tool")
    throw unavailable(`another Hearth process serves the database ${path}: stop it, or use another data folder for this one (HEARTH_DATA)`);
  try {
    const { log, clock = systemClock, onStatement, durability, follower } = options;
    const mode = lock === undefined ? "shared" : "exclusive";
    const db = await naming(`the database ${path}`, () => openSqlite({ path, log, clock, onStatement, durability, mode, follower }));
    await closeOnFailure(db, () => (lock === undefined ? checkSchema(db) : migrate(db, log)));
    return lock === undefined ? db : releasing(db, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

async function openPostgresDatabase(options: OpenDatabaseOptions): Promise<Db> {
  const { url, log, clock = systemClock, onStatement, limits } = options;
  // Loaded on demand: the driver takes a large part of the start time, and most servers do not need it.
  const [{ openPostgres }, { excludeOlderPrograms }] = await Promise.all([import("./postgres.ts"), import("./postgres-presence.ts")]);
  const db = await naming("PostgreSQL", async () => openPostgres({ address: parsePostgresUrl(url), log, clock, onStatement, ...limits }));
  await closeOnFailure(db, () =>
    naming("the PostgreSQL database", async () => {
      if (options.role === "copy") return db.exclusively(() => prepareCopy(db, log, options.copiedSchema));
      await refuseIncompleteCopy(db);
      // Most starts run no migration and need no lock.
      if ((await schemaVersion(db)) < allMigrations.length)
        await db.exclusively(() => migrate(db, log, allMigrations, { exclude: excludeOlderPrograms, buildIndex: db.buildIndex }));
    }),
  );
  return db;
}

/** Reads a server value of a PostgreSQL database without a change of its schema. @returns undefined without a value */
export async function peekServerValue(url: string, name: string, log: Log): Promise<string | undefined> {
  const { openPostgres } = await import("./postgres.ts");
  const db = await naming("PostgreSQL", async () => openPostgres({ address: parsePostgresUrl(url), log, clock: systemClock, poolSize: 1 }));
  try {
    const { rows } = await sql<{ found: boolean }>`select to_regclass('server_values') is not null as found`.execute(db.sql);
    if (rows[0]?.found !== true) return undefined;
    return (await db.sql.selectFrom("server_values").select("value").where("name", "=", name).executeTakeFirst())?.value;
  } finally {
    await db.close();
  }
}

/** The first version whose `wal_checkpoint(noop)` returns the length of the log. */
const oldestSqlite = [3, 51] as const;

function requireSqlite(): void {
  const version = process.versions.sqlite ?? "0";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < oldestSqlite[0] || (major === oldestSqlite[0] && minor < oldestSqlite[1]))
    throw unavailable(`Node.js ${process.versions.node} includes SQLite ${version}, but Hearth needs ${oldestSqlite.join(".")} or later: upgrade Node.js`);
}

/** Adds the subject to errors at startup, which are not retried. */
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

/** Keeps the lock until the last byte is written. */
function releasing(db: Db, lock: InstanceLock): Db {
  return {
    dialect: db.dialect,
    sql: db.sql,
    counters: db.counters,
    together: db.together,
    releaseMemory: db.releaseMemory,
    tx: db.tx,
    listen: db.listen,
    beforeCommit: db.beforeCommit,
    notifyOthers: db.notifyOthers,
    join: db.join,
    async close() {
      await db.close();
      lock.release();
    },
  };
}
