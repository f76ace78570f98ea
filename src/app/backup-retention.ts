import { existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ConfigError } from "../config/config.ts";
import { storageError } from "../git/objects/durable-fs.ts";
import { manifestName, readManifest } from "./backup-manifest.ts";

/** Numbers of days, weeks and months whose newest backup is kept. */
export interface Retention {
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

const dayMs = 86_400_000;
const dayOf = (ms: number): number => Math.floor(ms / dayMs);
/** Weeks begin on Monday; day 0 was a Thursday. */
const weekOf = (ms: number): number => Math.floor((dayOf(ms) + 3) / 7);
const monthOf = (ms: number): number => new Date(ms).getUTCFullYear() * 12 + new Date(ms).getUTCMonth();

/**
 * Chooses the newest backup of all, and the newest one of each of the last days, weeks and months that have backups. Periods are those of UTC.
 * @param backups times have a resolution of one second: of several with the same one, the first counts as the newest
 */
export function chooseKept<Backup extends { readonly ms: number }>(backups: readonly Backup[], { daily, weekly, monthly }: Retention): ReadonlySet<Backup> {
  const newestFirst = backups.toSorted((one, other) => other.ms - one.ms);
  const newestOf = (periodOf: (ms: number) => number, count: number): readonly Backup[] =>
    newestFirst.filter(({ ms }, at) => at === 0 || periodOf(ms) !== periodOf(newestFirst[at - 1]?.ms ?? ms)).slice(0, count);
  return new Set([...newestFirst.slice(0, 1), ...newestOf(dayOf, daily), ...newestOf(weekOf, weekly), ...newestOf(monthOf, monthly)]);
}

/** A backup that is being deleted: a prune that is killed leaves it, and the next one deletes it. */
const deletedPrefix = ".deleted-";

/**
 * `hearth backup prune FOLDER`: deletes the backups in a folder that the retention does not keep. Folders without a manifest are kept, because a backup
 * may be running.
 * @returns the exit code
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function pruneBackups(folder: string, retention: Retention, print: (text: string) => number): Promise<number> {
  const root = resolve(folder);
  if (retention.daily + retention.weekly + retention.monthly === 0)
    throw new ConfigError("set at least one of --keep-daily, --keep-weekly and --keep-monthly to a number above 0");
  if (!existsSync(root)) throw new ConfigError(`the folder ${root} does not exist`);
  if (existsSync(join(root, manifestName))) throw new ConfigError(`${root} is a backup: name the folder that contains the backups`);
  try {
    const names = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name);
    for (const name of names.filter((one) => one.startsWith(deletedPrefix))) await rm(join(root, name), { recursive: true, force: true });
    const present = names.filter((one) => !one.startsWith(deletedPrefix));
    const complete = present
      .filter((name) => existsSync(join(root, name, manifestName)))
      .sort()
      .reverse();
    const backups = complete.map((name) => ({ name, ms: Date.parse(readManifest(join(root, name)).created) }));
    const kept = chooseKept(backups, retention);
    const superfluous = backups.filter((backup) => !kept.has(backup));
    for (const { name } of superfluous) {
      const deleted = join(root, deletedPrefix + name);
      await rename(join(root, name), deleted);
      await rm(deleted, { recursive: true });
      print(`deleted ${name}\n`);
    }
    for (const name of present.filter((one) => !complete.includes(one))) print(`kept ${name}, which is not a complete backup\n`);
    return print(`kept ${backups.length - superfluous.length} of ${backups.length} backups in ${root}\n`);
  } catch (error) {
    throw storageError(error);
  }
}
