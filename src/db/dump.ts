import { execFile } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { formatPostgresUrl, parsePostgresUrl } from "../config/postgres-url.ts";
import { systemClock } from "../core/clock.ts";
import { unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { takeInstanceLock } from "./instance-lock.ts";
import { allMigrations } from "./migrations/all.ts";
import { openSqlite } from "./sqlite.ts";

/** Name of the file that contains the database in a backup, by dialect. */
export const dumpNames = { sqlite: "hearth.db", postgres: "hearth.dump" } as const;

export interface DumpOptions {
  /** As in `OpenDatabaseOptions`. */
  readonly url: string;
  /** The folder that contains the dump. */
  readonly folder: string;
  readonly log: Log;
  /** `PATH` for the programs of PostgreSQL. */
  readonly searchPath: string;
}

/**
 * Writes a consistent copy of an embedded database into a folder, durably. A server may be running, and is not blocked. Does not migrate the schema.
 * @returns whether the copy can be opened as it is: it has the schema of this program
 * @throws ForgeError `unavailable`
 */
export async function dumpDatabase({ url, folder, log }: DumpOptions): Promise<{ readonly isOpenable: boolean }> {
  const version = await copySqlite(url, join(folder, dumpNames.sqlite), log);
  return { isOpenable: version === allMigrations.length };
}

/** Loads the dump of a backup that an earlier version made into an empty PostgreSQL database, completely or not at all. @throws ForgeError `unavailable` */
export async function loadPostgresDump(options: DumpOptions): Promise<void> {
  const flags = ["--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges", "--no-comments"];
  await runPostgresTool("pg_restore", options, [...flags, join(options.folder, dumpNames.postgres)]);
}

/** All pages in one step: a smaller step would start again whenever another process commits. */
const allPages = 2 ** 31 - 1;

/** @returns the version of the schema */
async function copySqlite(path: string, target: string, log: Log): Promise<number> {
  const lock = takeInstanceLock(`${path}-lock`);
  // Repairs what a killed server has left, which a read-only connection cannot do.
  const db = await openSqlite({ path, log, clock: systemClock, mode: lock === undefined ? "shared" : "exclusive" });
  try {
    const source = new DatabaseSync(path, { readOnly: true });
    try {
      await backup(source, target, { rate: allPages });
    } finally {
      source.close();
    }
    await syncFile(target);
    return countMigrations(target);
  } catch (error) {
    throw unavailable(`the database ${path} cannot be copied: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    await db.close();
    lock?.release();
  }
}

function countMigrations(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const row = database.prepare("select count(*) as count from migrations").get();
    return Number(row?.count);
  } finally {
    database.close();
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function runPostgresTool(program: "pg_restore", { url, searchPath }: DumpOptions, args: readonly string[]): Promise<void> {
  const address = parsePostgresUrl(url);
  // Other users of the machine can read arguments, but not the environment.
  const env = { PATH: searchPath, ...(address.password !== undefined && { PGPASSWORD: address.password }) };
  try {
    await promisify(execFile)(program, ["--dbname", formatPostgresUrl(address), ...args], { env, maxBuffer: 16 * 1024 * 1024 });
  } catch (error) {
    const { code, stderr = "" } = error as { code?: string | number; stderr?: string };
    const reason = code === "ENOENT" ? "is not installed: install PostgreSQL's client programs" : `failed: ${stderr.trim().split("\n")[0] ?? ""}`;
    throw unavailable(`${program} ${reason}`, { cause: error });
  }
}
