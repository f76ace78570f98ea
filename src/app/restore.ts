import { mkdir, rename, rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import { dumpNames, loadPostgresDump } from "../db/dump.ts";
import { outdateProjections } from "../features/repositories/refs/service/projection.ts";
import { storageError, syncDirectory } from "../git/objects/durable-fs.ts";
import { makeEmptyFolder } from "./backup.ts";
import { incompleteName, manifestName, readManifest } from "./backup-manifest.ts";
import { copyTree } from "./copy-tree.ts";
import { restoringName } from "./data-directory.ts";
import { openConfiguredDatabase } from "./database.ts";
import { createLog } from "./log.ts";

/**
 * `hearth restore FOLDER`: fills an empty data folder, and an empty PostgreSQL database if one is configured, from a backup. Brings the
 * schema up to date.
 * @returns the exit code
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function restore(config: Config, folder: string, print: (text: string) => number): Promise<number> {
  const { dataDirectory, database, searchPath } = config;
  const source = resolve(folder);
  const manifest = readManifest(source);
  const kind = database.url === "" ? "sqlite" : "postgres";
  if (manifest.database !== kind)
    throw new ConfigError(
      kind === "sqlite"
        ? "the backup contains a PostgreSQL database: set HEARTH_DATABASE_URL to an empty one"
        : "the backup contains an embedded database: remove HEARTH_DATABASE_URL",
    );
  await makeEmptyFolder(dataDirectory);
  const log = createLog("warn");
  const url = kind === "sqlite" ? join(dataDirectory, "hearth.db") : database.url;
  try {
    // No server starts while this folder exists.
    const restoring = join(dataDirectory, restoringName);
    await mkdir(restoring);
    const { files } = await copyTree(source, dataDirectory, {
      skips: (path) => path === manifestName || path === incompleteName || path === dumpNames.postgres || path === dumpNames.sqlite,
    });
    if (kind === "postgres") {
      await loadPostgresDump({ url, folder: source, log, searchPath });
    } else {
      await copyTree(source, restoring, { skips: (path) => path !== dumpNames.sqlite });
      await rename(join(restoring, dumpNames.sqlite), url);
    }
    const db = await openConfiguredDatabase(config, { log, role: "tool" });
    try {
      // Refs on disk may be newer than the database.
      await db.tx((tx) => outdateProjections(tx));
    } finally {
      await db.close();
    }
    await rmdir(restoring);
    await syncDirectory(dataDirectory);
    print(`restored the backup of ${manifest.created}: the database and ${files} files are in ${dataDirectory}\n`);
    if (!manifest.hasUploads && config.storage.url === "")
      print("the backup has no uploaded files, because they were in a bucket: set HEARTH_STORAGE_URL before you start the server\n");
    return 0;
  } catch (error) {
    throw storageError(error);
  }
}
