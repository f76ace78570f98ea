import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ConfigError } from "../config/config.ts";
import { dumpNames, loadPostgresDump } from "../db/dump.ts";
import { openSqliteFile } from "../db/snapshot.ts";
import { incompleteName, manifestName, readManifest } from "./backup-manifest.ts";
import { copyTree } from "./copy-tree.ts";
import type { RestoreOptions, RestoreSource } from "./restore-source.ts";
import { isFixedInStore } from "./store-files.ts";

/** Files in the folder that do not belong to the data folder. */
const ownFiles: ReadonlySet<string> = new Set([manifestName, incompleteName, ...Object.values(dumpNames)]);

/** The backup of a folder. @throws ConfigError */
export async function openFolderBackup(folder: string, { backup, identity }: RestoreOptions): Promise<RestoreSource> {
  const source = resolve(folder);
  if (backup !== undefined || identity !== undefined)
    throw new ConfigError(`--${backup === undefined ? "identity" : "backup"} is an option of backups in a bucket`);
  const { created, database: kind, hasUploads, hasSearchIndex = true, keyId } = readManifest(source);
  return {
    id: `${source} of ${created}`,
    created,
    keyId,
    hasUploads,
    async copyFiles(dataDirectory, restoring) {
      const { files } = await copyTree(source, dataDirectory, {
        skips: (path) => ownFiles.has(path) || path === "packs",
        skipsExisting: (path) => isFixedInStore(path) || /^(avatars|files)\//.test(path),
      });
      const packs = await copyTree(join(source, "packs"), join(restoring, "packs"), { skipsExisting: () => true });
      return files + packs.files;
    },
    async loadDatabase({ kind: wanted, url, restoring, log, searchPath }, load) {
      if (kind === "postgres") {
        if (wanted === "sqlite")
          throw new ConfigError(
            "the backup contains a dump of PostgreSQL, which an earlier version of Hearth made: set HEARTH_DATABASE_URL to an empty PostgreSQL database",
          );
        const loaded = join(restoring, "loaded");
        if (existsSync(loaded)) return;
        await loadPostgresDump({ url, folder: source, log, searchPath });
        return writeFile(loaded, "", { flush: true });
      }
      const copies = join(restoring, "copy");
      await mkdir(copies, { recursive: true, mode: 0o700 });
      await copyTree(source, copies, { skips: (path) => path !== dumpNames.sqlite });
      const copy = join(copies, dumpNames.sqlite);
      if (wanted === "sqlite" && hasSearchIndex) return rename(copy, url);
      {
        await using rows = await openSqliteFile(copy);
        await load(rows);
      }
      await rm(copies, { recursive: true });
    },
    async [Symbol.asyncDispose]() {},
  };
}
