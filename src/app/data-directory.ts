import { accessSync, chmodSync, constants, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
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
    mkdirSync(folder, { mode: 0o700 });
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
    throw new ConfigError(`the folder ${path} has an incomplete restore: run the same \`hearth restore\` again, or delete the folder`);
}

/** The database with its log and lock, the secret key, and drafts of them. */
const isPrivateFile = (name: string): boolean => /^(hearth\.db|secret\.key)/.test(name);

/** The permissions of the group and of others. */
const ofOthers = 0o077;

interface OpenPath {
  readonly path: string;
  readonly mode: number;
}

/** The data folder, the files of the database and the secret key, as far as other users have any permission on them. */
export function pathsOpenToOthers(directory: string): readonly OpenPath[] {
  const files = readdirSync(directory).filter(isPrivateFile);
  const paths = files.map((name) => ({ path: join(directory, name), stat: lstatSync(join(directory, name), { throwIfNoEntry: false }) }));
  return [{ path: directory, stat: statSync(directory) }, ...paths].flatMap(({ path, stat }) =>
    stat === undefined || stat.isSymbolicLink() || (stat.mode & ofOthers) === 0 ? [] : [{ path, mode: stat.mode & 0o777 }],
  );
}

/** A line for the operator about paths that other users can access. */
export function openPathsWarning(paths: readonly OpenPath[]): string | undefined {
  if (paths.length === 0) return undefined;
  const listed = paths.map(({ path, mode }) => `${path} (mode ${mode.toString(8).padStart(4, "0")})`).join(", ");
  return `other users of this machine may have access to ${listed}: run \`chmod go= ${paths.map(({ path }) => path).join(" ")}\` as their owner`;
}

/**
 * Removes the permissions of other users on the data folder and its private files, which an earlier umask or a copy may have left.
 * The other files in the folder are then out of their reach.
 * @returns a warning if that is impossible: the files have another owner, or the file system has no permissions
 */
export function closeDataDirectory(directory: string): string | undefined {
  for (const { path, mode } of pathsOpenToOthers(directory)) {
    try {
      chmodSync(path, mode & ~ofOthers);
    } catch (error) {
      if (!["EPERM", "EACCES", "EROFS", "ENOTSUP", "ENOSYS", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
  return openPathsWarning(pathsOpenToOthers(directory));
}
