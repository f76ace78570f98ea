import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import { formatTime } from "../core/time.ts";
import { dumpDatabase } from "../db/dump.ts";
import { peekServerValue } from "../db/open.ts";
import { serverVersion } from "../features/site/meta/server-details.ts";
import { isMissing, replaceFile, storageError } from "../git/objects/durable-fs.ts";
import { copyDurably, copyTree } from "./copy-tree.ts";
import { makeFolderDurably } from "./data-directory.ts";
import { doctor } from "./doctor.ts";
import { createLog } from "./log.ts";
import { isShared, placeOfPacks } from "./stores.ts";

/** Written last: a backup without it is incomplete. */
export const manifestName = "backup.json";
const formatVersion = 1;

/** The description of a backup. */
export interface Manifest {
  readonly format: number;
  /** Version of the program that wrote the backup. */
  readonly version: string;
  readonly created: string;
  readonly database: "sqlite" | "postgres";
  /** Whether uploaded files are part of the backup. They are not if they are in a bucket. */
  readonly hasUploads: boolean;
}

/** Folders of the data folder, each of which may be a link to another disk. */
const otherFolders = ["adopt", "avatars", "files"] as const;
const secretKeyName = "secret.key";
/** A repository is copied again if housekeeping replaced packs meanwhile. */
const maxRounds = 5;

/**
 * `hearth backup FOLDER`: copies the database, then everything that it refers to. Objects and files are written before the rows that name
 * them and deleted long after, so the copy is complete although the server runs.
 * @returns the exit code: 1 when the check of the backup found problems
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function backUp(config: Config, folder: string, print: (text: string) => number, { checks }: { readonly checks: boolean }): Promise<number> {
  const { dataDirectory, database, searchPath } = config;
  const target = resolve(folder);
  const isEmbedded = database.url === "";
  const databaseFile = join(dataDirectory, "hearth.db");
  if (!existsSync(isEmbedded ? databaseFile : join(dataDirectory, "repositories")))
    throw new ConfigError(`there is no data in ${dataDirectory}: set HEARTH_DATA to the data folder of the server`);
  if (!relative(dataDirectory, target).startsWith("..")) throw new ConfigError(`${target} is inside the data folder: choose a folder outside of it`);
  await makeEmptyFolder(target);
  let isOpenable: boolean;
  try {
    const created = formatTime(Date.now());
    ({ isOpenable } = await dumpDatabase({ url: isEmbedded ? databaseFile : database.url, folder: target, log: createLog("warn"), searchPath }));
    const hasUploads = config.storage.url === "";
    const trees = (await haveSharedPacks(config)) ? [] : [await copyStores(join(dataDirectory, "repositories"), join(target, "repositories"))];
    for (const name of otherFolders)
      trees.push(await copyTree(join(dataDirectory, name), join(target, name), { skips: (path) => isTemporary(path) || path === "incoming" }));
    if (existsSync(join(dataDirectory, secretKeyName))) await copyDurably(join(dataDirectory, secretKeyName), join(target, secretKeyName));
    const manifest: Manifest = { format: formatVersion, version: serverVersion, created, database: isEmbedded ? "sqlite" : "postgres", hasUploads };
    await replaceFile(join(target, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
    const sum = (key: "files" | "bytes"): number => trees.reduce((total, tree) => total + tree[key], 0);
    print(`copied the database and ${sum("files")} files (${Math.ceil(sum("bytes") / 1_048_576)} MiB) to ${target}\n`);
  } catch (error) {
    throw storageError(error);
  }
  if (!checks || !isEmbedded) return 0;
  // Opening it would migrate it, and only a newer program could restore it.
  if (!isOpenable) return print("not checked, because the database has the schema of another version\n");
  const code = await doctor({ ...config, dataDirectory: target }, print);
  await removeTraces(target);
  return code;
}

/** Whether the directories of the stores are copies of packs in the database and in a bucket. */
const haveSharedPacks = async ({ database }: Config): Promise<boolean> =>
  database.url !== "" && isShared(await peekServerValue(database.url, placeOfPacks, createLog("warn")));

const isTemporary = (path: string): boolean => /(^|\/)tmp_[^/]*$|\.lock$/.test(path);
/** Indexes over several packs, which may name objects that are newer than the backup. Housekeeping writes them again. */
const isDerived = (path: string): boolean => /(^|\/)objects\/(info\/commit-graph(s|$)|pack\/multi-pack-index)/.test(path);

/** Copies stores one after another. Git writes a pack before it deletes what the pack replaces, and `pack` is listed last. */
async function copyStores(source: string, target: string): Promise<{ readonly files: number; readonly bytes: number }> {
  const sum = { files: 0, bytes: 0 };
  for (const shard of await namesIn(source, /^[0-9a-f]{2}$/)) {
    for (const name of await namesIn(join(source, shard), /^\d+\.git$/)) {
      for (let round = 1; ; round += 1) {
        const copied = await copyTree(join(source, shard, name), join(target, shard, name), {
          skips: (path) => isTemporary(path) || isDerived(path),
          skipsExisting: round > 1,
        });
        if (copied.vanished > 0 && round < maxRounds) continue;
        sum.files += copied.files;
        sum.bytes += copied.bytes;
        break;
      }
    }
  }
  return sum;
}

async function namesIn(path: string, pattern: RegExp): Promise<string[]> {
  try {
    return (await readdir(path)).filter((name) => pattern.test(name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** @throws ConfigError if the folder has entries or cannot be created */
export async function makeEmptyFolder(path: string): Promise<void> {
  try {
    makeFolderDurably(path);
    if ((await readdir(path)).length === 0) return;
  } catch (error) {
    throw new ConfigError(`the folder ${path} cannot be used (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
  throw new ConfigError(`the folder ${path} is not empty: choose a new or an empty one`);
}

/** Files that opening the copy has left. */
async function removeTraces(folder: string): Promise<void> {
  for (const name of ["hearth.db-lock", "repositories/home"]) await rm(join(folder, name), { recursive: true, force: true });
}
