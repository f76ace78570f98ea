import { mkdtemp, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import { formatTime } from "../core/time.ts";
import { openScratchDatabase } from "../db/scratch-database.ts";
import { replaceFile } from "../git/objects/durable-fs.ts";
import { manifestName, readManifest } from "./backup-manifest.ts";
import { doctor } from "./doctor.ts";
import { createLog } from "./log.ts";
import { restore } from "./restore.ts";

/**
 * `hearth backup verify FOLDER`: restores a backup into a scratch folder beside it, and into a scratch database if it is one of PostgreSQL, and checks
 * the result. Records the time of a check without problems in the manifest.
 * @returns the exit code: 1 when there are problems
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function verifyBackup(config: Config, folder: string, print: (text: string) => number): Promise<number> {
  const source = resolve(folder);
  const manifest = readManifest(source);
  if (manifest.database === "postgres" && config.database.url === "")
    throw new ConfigError("the backup contains a PostgreSQL database: set HEARTH_DATABASE_URL, on whose server a scratch database is created");
  const scratch = await mkdtemp(join(dirname(source), `.verify-${basename(source)}-`));
  try {
    await using database = manifest.database === "postgres" ? await openScratchDatabase(config.database.url, createLog("error")) : undefined;
    const scratchConfig: Config = {
      ...config,
      dataDirectory: join(scratch, "data"),
      backup: { ...config.backup, folder: "", url: "" },
      database: { ...config.database, url: database?.url ?? "" },
      // Earlier versions left out the files of a bucket.
      storage: manifest.hasUploads ? { ...config.storage, url: "" } : config.storage,
    };
    await restore(scratchConfig, source, {}, () => 0);
    const code = await doctor(scratchConfig, print);
    if (code !== 0) return code;
    await replaceFile(join(source, manifestName), `${JSON.stringify({ ...manifest, verified: formatTime(Date.now()) }, null, 2)}\n`);
    return print(`verified the backup of ${manifest.created}: it can be restored\n`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
