import { existsSync, readFileSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import type { Db } from "../db/db.ts";
import { peekServerValue } from "../db/open.ts";
import { isCompleteCopy, requireCopyTarget } from "../db/open-copy.ts";
import { deleteSealedServerValues, listSealedColumns } from "../db/sealed-values.ts";
import { forgetUnused } from "../db/unused-files.ts";
import { adaptRestored } from "../features/collaboration/issues/service/restored.ts";
import { outdateProjections } from "../features/repositories/refs/service/projection.ts";
import { storageError, syncDirectory } from "../git/objects/durable-fs.ts";
import { copyFilesToService } from "../storage/open.ts";
import { makeEmptyFolder } from "./backup.ts";
import { isPlaceUrl } from "./backups/place.ts";
import { openPlacedBackup } from "./backups/read.ts";
import { keyIdOf } from "./backups/vault.ts";
import { copyRows } from "./copy-database.ts";
import { restoringName } from "./data-directory.ts";
import { openConfiguredDatabase } from "./database.ts";
import { openFolderBackup } from "./folder-backup.ts";
import { createLog } from "./log.ts";
import type { RestoreOptions, RestoreSource, RestoreTarget } from "./restore-source.ts";
import { installSharedPacks } from "./restored-packs.ts";
import { findSecretKey } from "./secret-key.ts";

/** Names the backup from which the database was filled. */
const restoredFrom = "restored_from";
const sourceName = "source";

/**
 * `hearth restore FOLDER|URL`: fills an empty data folder, and an empty PostgreSQL database if one is configured, from a backup of either database.
 * Brings the schema up to date. An interrupted restore continues.
 * @returns the exit code
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function restore(config: Config, from: string, options: RestoreOptions, print: (text: string) => number): Promise<number> {
  await using source = isPlaceUrl(from) ? await openPlacedBackup(config, from, options) : await openFolderBackup(from, options);
  const { dataDirectory, storage } = config;
  try {
    if (config.database.url !== "" && !(await isFilled(config.database.url, source))) await requireCopyTarget(config.database.url, createLog("error"));
    // No server starts while this folder exists.
    const restoring = await beginRestore(dataDirectory, source.id);
    const files = await source.copyFiles(dataDirectory, restoring);
    await fillDatabase(config, source, restoring);
    if (storage.url !== "" && source.hasUploads) {
      await copyFilesToService(config);
      for (const name of ["avatars", "files"]) await rm(join(dataDirectory, name), { recursive: true, force: true });
    }
    const log = createLog("warn");
    const db = await openConfiguredDatabase(config, { log, role: "tool" });
    let lost: readonly string[] = [];
    try {
      const key = findSecretKey(config);
      if (source.keyId !== undefined && (key === undefined || keyIdOf(key) !== source.keyId)) lost = await forgetSealed(db);
      await installSharedPacks({ config, db, log, packs: restoring });
      // Refs on disk may be newer than the database.
      await db.tx((tx) => outdateProjections(tx));
      await db.tx((tx) => forgetUnused(tx));
      await db.tx((tx) => adaptRestored(tx));
    } finally {
      await db.close();
    }
    await endRestore(dataDirectory, restoring);
    print(`restored the backup of ${source.created}: the database and ${files} files are in ${dataDirectory}\n`);
    for (const line of lost) print(`${line}\n`);
    if (!source.hasUploads && storage.url === "")
      print("the backup has no uploaded files, because they were in a bucket: set HEARTH_STORAGE_URL before you start the server\n");
    return 0;
  } catch (error) {
    throw storageError(error);
  }
}

/** Deletes the keys of the server that cannot be read, so that it starts. @returns lines that name the other secrets, which stay unreadable */
async function forgetSealed(db: Db): Promise<readonly string[]> {
  const columns = await listSealedColumns(db);
  const deleted = await db.tx((tx) => deleteSealedServerValues(tx));
  if (columns.length + deleted.length === 0) return [];
  return [
    "the secret key of the backup is missing, so its secrets cannot be read; passwords, access tokens and SSH keys of users still work",
    ...deleted.map((name) => `deleted: ${name}; the server creates a new one`),
    ...columns.map(({ table, column, values }) => `cannot be read: ${values} values of ${table}.${column}; enter them again`),
    "turn off two-factor authentication for users who ask: hearth admin user remove-two-factor NAME",
  ];
}

/** @returns the folder of the restore @throws ConfigError if the data folder is not empty, or another backup is being restored */
async function beginRestore(dataDirectory: string, id: string): Promise<string> {
  const restoring = join(dataDirectory, restoringName);
  const mark = join(restoring, sourceName);
  if (!existsSync(restoring)) {
    // Complete from its first moment. An interrupted restore may have left a draft.
    const draft = join(dataDirectory, `${restoringName}.draft`);
    await rm(draft, { recursive: true, force: true });
    await makeEmptyFolder(dataDirectory);
    await mkdir(draft, { mode: 0o700 });
    await writeFile(join(draft, sourceName), id, { flush: true });
    await rename(draft, restoring);
    await syncDirectory(dataDirectory);
    return restoring;
  }
  const begun = existsSync(mark) ? readFileSync(mark, "utf8") : undefined;
  if (begun === id) return restoring;
  const of = begun === undefined ? "" : ` of ${begun}`;
  throw new ConfigError(`${dataDirectory} has an incomplete restore${of}: continue with that backup, or delete the folder`);
}

async function endRestore(dataDirectory: string, restoring: string): Promise<void> {
  const cache = join(dataDirectory, "cache");
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const done = join(cache, "scratch-restored");
  await rename(restoring, done);
  await syncDirectory(dataDirectory);
  await rm(done, { recursive: true, force: true });
}

/** Whether an earlier call has filled a PostgreSQL database. */
const isFilled = async (url: string, source: RestoreSource): Promise<boolean> => (await peekServerValue(url, restoredFrom, createLog("error"))) === source.id;

async function fillDatabase({ dataDirectory, database, searchPath }: Config, source: RestoreSource, restoring: string): Promise<void> {
  const log = createLog("error");
  const mark = { name: restoredFrom, value: source.id };
  if (database.url !== "") {
    if (await isFilled(database.url, source)) return;
    const target: RestoreTarget = { kind: "postgres", url: database.url, restoring, log, searchPath };
    return source.loadDatabase(target, (rows) => copyRows(rows, database.url, log, { mark }));
  }
  const path = join(dataDirectory, "hearth.db");
  const draft = join(restoring, "hearth.db");
  if (existsSync(path) && !existsSync(draft)) return;
  if (!(await isCompleteCopy(draft)))
    await source.loadDatabase({ kind: "sqlite", url: draft, restoring, log, searchPath }, (rows) => copyRows(rows, draft, log, { mark }));
  {
    await using file = await open(draft, "r+");
    await file.sync();
  }
  await rename(draft, path);
  for (const name of await readdir(restoring)) if (name.startsWith("hearth.db")) await rm(join(restoring, name), { force: true });
  await syncDirectory(dataDirectory);
}
