import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError } from "../config/config.ts";
import { syncDirectoryNow } from "../git/objects/durable-fs.ts";

/** A folder in the data folder that exists while a restore is incomplete. */
export const restoringName = "restoring";

/** Creates a folder one by one with its parents: a recursive mkdir of Node.js never returns where the file system does not support it (`/proc`). */
export function makeFolderDurably(path: string): void {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) {
    mkdirSync(folder, { mode: 0o750 });
    syncDirectoryNow(dirname(folder));
  }
}

/**
 * Creates the data folder.
 * @throws ConfigError if it is not writable, or a restore was interrupted
 */
export function makeDataDirectory(path: string): void {
  try {
    makeFolderDurably(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigError(`HEARTH_DATA: the folder ${path} is not writable (${(error as NodeJS.ErrnoException).code}); choose one that this user can write`, {
      cause: error,
    });
  }
  if (existsSync(join(path, restoringName)))
    throw new ConfigError(`the folder ${path} has an incomplete restore: delete the folder, and run \`hearth restore\` again`);
}
