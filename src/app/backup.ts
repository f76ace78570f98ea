import { existsSync, readFileSync } from "node:fs";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import { formatTime } from "../core/time.ts";
import { dumpDatabase, dumpNames } from "../db/dump.ts";
import { peekServerValue } from "../db/open.ts";
import { serverVersion } from "../features/site/meta/server-details.ts";
import { isMissing, replaceFile, storageError, syncDirectory } from "../git/objects/durable-fs.ts";
import { formatVersion, incompleteName, type Manifest, manifestName, readManifest } from "./backup-manifest.ts";
import { type CopiedTree, copyDurably, copyTree, removeParts } from "./copy-tree.ts";
import { makeFolderDurably } from "./data-directory.ts";
import { doctor } from "./doctor.ts";
import { createLog } from "./log.ts";
import { isShared, placeOfPacks } from "./stores.ts";

/** Folders of the data folder, each of which may be a link to another disk. */
const otherFolders = ["adopt", "avatars", "files"] as const;
const secretKeyName = "secret.key";
/**
 * Files that are never changed: packs and loose objects are named by their content, and uploaded files are written once. Other files of packs can be
 * written again under the same name.
 */
const isFixedInStore = (path: string): boolean => /(^|\/)objects\/(pack\/pack-[0-9a-f]{40,64}\.(pack|idx|rev)|[0-9a-f]{2}\/[0-9a-f]{38,62})$/.test(path);

export interface BackupOptions {
  readonly checks: boolean;
  /** An earlier backup: files that never change are linked to it. */
  readonly base?: string | undefined;
}

/** A repository is copied again if housekeeping replaced packs meanwhile. */
const maxRounds = 5;

/**
 * `hearth backup FOLDER`: copies the database, then everything that it refers to. Objects and files are written before the rows that name
 * them and deleted long after, so the copy is complete although the server runs.
 * @returns the exit code: 1 when the check of the backup found problems
 * @throws ConfigError, ForgeError `unavailable`
 */
export async function backUp(config: Config, folder: string, print: (text: string) => number, { checks, base }: BackupOptions): Promise<number> {
  const { dataDirectory, database, searchPath } = config;
  const target = resolve(folder);
  const isEmbedded = database.url === "";
  const databaseFile = join(dataDirectory, "hearth.db");
  if (!existsSync(isEmbedded ? databaseFile : join(dataDirectory, "repositories")))
    throw new ConfigError(`there is no data in ${dataDirectory}: set HEARTH_DATA to the data folder of the server`);
  if (!relative(dataDirectory, target).startsWith("..")) throw new ConfigError(`${target} is inside the data folder: choose a folder outside of it`);
  const earlier = base === undefined ? undefined : await openBase(base, target);
  const isResumed = await openTarget(target, dataDirectory);
  let isOpenable: boolean;
  try {
    const startedMs = Date.now();
    ({ isOpenable } = await dumpDatabase({ url: isEmbedded ? databaseFile : database.url, folder: target, log: createLog("warn"), searchPath }));
    const hasUploads = config.storage.url === "";
    const sum = (key: "files" | "bytes" | "linked" | "linkedBytes"): number => trees.reduce((total, tree) => total + tree[key], 0);
    const folders = (name: string) => ({ source: join(dataDirectory, name), target: join(target, name), base: earlier && join(earlier, name) });
    const trees = (await haveSharedPacks(config)) ? [] : [await copyStores(folders("repositories"), isResumed)];
    for (const name of otherFolders)
      trees.push(
        await copyTree(join(dataDirectory, name), join(target, name), {
          skips: (path) => isTemporary(path) || path === "incoming",
          skipsExisting: () => isResumed && name !== "adopt",
          base: earlier === undefined || name === "adopt" ? undefined : { folder: join(earlier, name), isFixed: () => true },
        }),
      );
    if (existsSync(join(dataDirectory, secretKeyName))) await copyDurably(join(dataDirectory, secretKeyName), join(target, secretKeyName));
    const kind = isEmbedded ? "sqlite" : "postgres";
    const manifest: Manifest = {
      format: formatVersion,
      version: serverVersion,
      created: formatTime(startedMs),
      database: kind,
      hasUploads,
      bytes: (await stat(join(target, dumpNames[kind]))).size + sum("bytes") + sum("linkedBytes"),
      seconds: Math.round((Date.now() - startedMs) / 1_000),
    };
    await replaceFile(join(target, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
    await rm(join(target, incompleteName));
    print(`copied the database and ${sum("files")} files (${Math.ceil(sum("bytes") / 1_048_576)} MiB) to ${target}\n`);
    if (earlier !== undefined) print(`linked ${sum("linked")} unchanged files to those of ${earlier}\n`);
  } catch (error) {
    throw storageError(error);
  }
  if (!checks || !isEmbedded) return 0;
  // Opening it would migrate it, and only a newer program could restore it.
  if (!isOpenable) return print("not checked, because the database has the schema of another version\n");
  const code = await doctor({ ...config, dataDirectory: target, backup: { ...config.backup, folder: "" } }, print);
  await removeTraces(target);
  return code;
}

/** Whether the directories of the stores are copies of packs in the database and in a bucket. */
const haveSharedPacks = async ({ database }: Config): Promise<boolean> =>
  database.url !== "" && isShared(await peekServerValue(database.url, placeOfPacks, createLog("error")));

const isTemporary = (path: string): boolean => /(^|\/)tmp_[^/]*$|\.lock$/.test(path);
/** Indexes over several packs, which may name objects that are newer than the backup. Housekeeping writes them again. */
const isDerived = (path: string): boolean => /(^|\/)objects\/(info\/commit-graph(s|$)|pack\/multi-pack-index)/.test(path);

/** Copies stores one after another. Git writes a pack before it deletes what the pack replaces, and `pack` is listed last. */
async function copyStores(
  { source, target, base }: { readonly source: string; readonly target: string; readonly base: string | undefined },
  isResumed: boolean,
): Promise<Pick<CopiedTree, "files" | "bytes" | "linked" | "linkedBytes">> {
  const sum = { files: 0, bytes: 0, linked: 0, linkedBytes: 0 };
  for (const shard of await namesIn(source, /^[0-9a-f]{2}$/)) {
    for (const name of await namesIn(join(source, shard), /^\d+\.git$/)) {
      for (let round = 1; ; round += 1) {
        const copied = await copyTree(join(source, shard, name), join(target, shard, name), {
          skips: (path) => isTemporary(path) || isDerived(path),
          skipsExisting: (path) => round > 1 || (isResumed && isFixedInStore(path)),
          base: base === undefined ? undefined : { folder: join(base, shard, name), isFixed: isFixedInStore },
        });
        if (copied.vanished > 0 && round < maxRounds) continue;
        sum.files += copied.files;
        sum.bytes += copied.bytes;
        sum.linked += copied.linked;
        sum.linkedBytes += copied.linkedBytes;
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

/**
 * Creates the folder of a backup, or opens that of an interrupted one.
 * @returns whether the backup was begun before
 * @throws ConfigError if the folder has other content, or the interrupted backup is of another data folder
 */
async function openTarget(target: string, dataDirectory: string): Promise<boolean> {
  const mark = join(target, incompleteName);
  if (!existsSync(mark) || existsSync(join(target, manifestName))) {
    await makeEmptyFolder(target);
    await writeFile(mark, dataDirectory, { flush: true });
    await syncDirectory(target);
    return false;
  }
  const begun = readFileSync(mark, "utf8");
  // Empty if it was interrupted before anything else was written.
  if (begun !== "" && begun !== dataDirectory) throw new ConfigError(`${target} has an incomplete backup of ${begun}: choose another folder`);
  await removeParts(target);
  for (const name of Object.values(dumpNames)) await rm(join(target, name), { force: true });
  return true;
}

/** @throws ConfigError if it is not a complete backup, or on another file system */
async function openBase(folder: string, target: string): Promise<string> {
  const base = resolve(folder);
  readManifest(base);
  makeFolderDurably(dirname(target));
  const [from, to] = await Promise.all([stat(base), stat(dirname(target))]);
  if (from.dev !== to.dev) throw new ConfigError(`${base} is on another file system than ${target}: files cannot be linked to it`);
  return base;
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
