import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import { isPostgresUrl } from "../config/postgres-url.ts";
import type { Log } from "../core/log.ts";
import { type CopiedTables, copyTables, finishCopy } from "../db/copy-tables.ts";
import type { Tx } from "../db/db.ts";
import { openDatabase } from "../db/open.ts";
import { openCopyTarget } from "../db/open-copy.ts";
import { openRowSource, type RowSource } from "../db/row-source.ts";
import { writeServerValue } from "../db/server-values.ts";
import { buildAccountIndex } from "../features/accounts/users/service/build-index.ts";
import { buildSearchIndex } from "../features/collaboration/issues/search/service/build-index.ts";
import { buildRepositoryIndex } from "../features/repositories/repos/service/build-index.ts";
import { createLog } from "./log.ts";

/**
 * `hearth database copy`: copies the embedded database of the data folder into the empty PostgreSQL database of the configuration, and
 * compares both. The embedded database stays as it is. A copy that was interrupted continues.
 * @returns the exit code
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function copyDatabase(config: Config, print: (text: string) => number): Promise<number> {
  const path = join(config.dataDirectory, "hearth.db");
  const { url } = config.database;
  if (!isPostgresUrl(url)) throw new ConfigError("set HEARTH_DATABASE_URL to the empty PostgreSQL database that receives the copy");
  if (!existsSync(path)) throw new ConfigError(`there is no embedded database in ${config.dataDirectory}: set HEARTH_DATA to the data folder of the server`);
  const log = createLog("warn");
  // Waits for no server: the lock keeps servers from changing the database during the copy.
  const db = await openDatabase({ url: path, log });
  try {
    const { tables, rows } = await copyRows(await openRowSource(db), url, log);
    print(`copied and compared ${rows} rows of ${tables} tables; the server uses PostgreSQL from its next start\n`);
    return print(`${path} is unchanged and no longer used: keep it until you have a backup of PostgreSQL\n`);
  } finally {
    await db.close();
  }
}

export interface CopyRowsOptions {
  /** A server value that is written when the copy is complete. */
  readonly mark?: { readonly name: string; readonly value: string };
  /** Leaves the search indexes empty, and the schema as it is. */
  readonly isArchive?: boolean;
}

/**
 * Fills an empty database of either kind with the rows of another one, compares both, and builds the search indexes. A copy that was interrupted
 * continues.
 * @throws ForgeError `unavailable`
 */
export async function copyRows(source: RowSource, url: string, log: Log, { mark, isArchive = false }: CopyRowsOptions = {}): Promise<CopiedTables> {
  const target = await openCopyTarget(url, source.schema, log);
  try {
    const copied = await copyTables(source, target);
    const derive = async (tx: Tx): Promise<void> => {
      await buildSearchIndex(tx);
      await buildRepositoryIndex(tx);
      await buildAccountIndex(tx);
      if (mark !== undefined) await writeServerValue(tx, mark.name, mark.value);
    };
    await finishCopy(source, target, isArchive ? undefined : derive, log);
    return copied;
  } finally {
    await target.close();
  }
}
