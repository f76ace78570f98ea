import { existsSync, readFileSync } from "node:fs";
import { open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import { formatTime } from "../core/time.ts";
import { dumpDatabase, dumpNames } from "../db/dump.ts";
import { allMigrations } from "../db/migrations/all.ts";
import { listValues } from "../db/row-source.ts";
import { openSnapshot, openSqliteFile, type SnapshotOptions } from "../db/snapshot.ts";
import { serverVersion } from "../features/site/meta/server-details.ts";
import { returnSetAside } from "../git/maintain/set-aside.ts";
import { isMissing, replaceFile, storageError, syncDirectory } from "../git/objects/durable-fs.ts";
import { openFileStores } from "../storage/open.ts";
import { formatVersion, incompleteName, type Manifest, manifestName, readManifest } from "./backup-manifest.ts";
import { keyIdOf } from "./backups/vault.ts";
import { copyRows } from "./copy-database.ts";
import { copyStoreFiles } from "./copy-store-files.ts";
import { type CopiedTree, copyDurably, copyTree, removeParts } from "./copy-tree.ts";
import { makeFolderDurably } from "./data-directory.ts";
import { doctor } from "./doctor.ts";
import { createLog } from "./log.ts";
import { findSecretKey } from "./secret-key.ts";
import { isDerivedInStore, isFixedInStore, isTemporary, maxRounds, requireInTime } from "./store-files.ts";
import { haveSharedPacks } from "./stores.ts";

/** Folders of the data folder, each of which may be a link to another disk. */
const otherFolders = ["adopt", "avatars", "files"] as const;
const secretKeyName = "secret.key";
export interface BackupOptions {
  readonly checks: boolean;
  /** An earlier backup: files that never change are linked to it. */
  readonly base?: string | undefined;
}

type Counts = Pick<CopiedTree, "files" | "bytes" | "linked" | "linkedBytes">;

/**
 * `hearth backup FOLDER`: copies the database, then everything that it refers to. Objects and files are written before the rows that name
 * them and deleted days after, so the copy is complete although the server runs.
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
    const log = createLog("warn");
    const path = join(target, dumpNames.sqlite);
    ({ isOpenable } = isEmbedded
      ? await dumpDatabase({ url: databaseFile, folder: target, log, searchPath })
      : await copyPostgres({ url: database.url, scratch: target, log, searchPath }, path));
    const sum = (key: "files" | "bytes" | "linked" | "linkedBytes"): number => trees.reduce((total, tree) => total + tree[key], 0);
    const folders = (name: string) => ({ source: join(dataDirectory, name), target: join(target, name), base: earlier && join(earlier, name) });
    const areShared = await haveSharedPacks(config);
    const trees = areShared ? [] : [await copyStores(folders("repositories"), isResumed)];
    for (const name of otherFolders)
      trees.push(
        await copyTree(join(dataDirectory, name), join(target, name), {
          skips: (path) => isTemporary(path) || path === "incoming",
          skipsExisting: () => isResumed && name !== "adopt",
          base: earlier === undefined || name === "adopt" ? undefined : { folder: join(earlier, name), isFixed: () => true },
        }),
      );
    trees.push(...(await copyBucket(config, target, { packs: areShared ? await listPackFiles(path) : undefined, base: earlier })));
    if (existsSync(join(dataDirectory, secretKeyName))) await copyDurably(join(dataDirectory, secretKeyName), join(target, secretKeyName));
    requireInTime(startedMs, Date.now());
    const secretKey = findSecretKey(config);
    const manifest: Manifest = {
      format: formatVersion,
      version: serverVersion,
      created: formatTime(startedMs),
      database: "sqlite",
      hasUploads: true,
      hasSearchIndex: isEmbedded,
      ...(secretKey !== undefined && { keyId: keyIdOf(secretKey) }),
      bytes: (await stat(path)).size + sum("bytes") + sum("linkedBytes"),
      seconds: Math.round((Date.now() - startedMs) / 1_000),
    };
    await replaceFile(join(target, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
    await rm(join(target, incompleteName));
    print(`copied the database and ${sum("files")} files (${Math.ceil(sum("bytes") / 1_048_576)} MiB) to ${target}\n`);
    if (earlier !== undefined) print(`linked ${sum("linked")} unchanged files to those of ${earlier}\n`);
  } catch (error) {
    throw storageError(error);
  }
  // The packs of several nodes are checked when the backup is verified.
  if (!checks || existsSync(join(target, "packs"))) return 0;
  // Opening it would migrate it, and only a newer program could restore it.
  if (!isOpenable) return print("not checked, because the database has the schema of another version\n");
  const asItIs: Config = {
    ...config,
    dataDirectory: target,
    backup: { ...config.backup, folder: "", url: "" },
    database: { ...config.database, url: "" },
    storage: { ...config.storage, url: "" },
  };
  const code = await doctor(asItIs, print);
  await removeTraces(target);
  return code;
}

/** Writes the rows of PostgreSQL at one moment into an embedded database. @returns whether it can be opened as it is */
async function copyPostgres(options: SnapshotOptions, path: string): Promise<{ readonly isOpenable: boolean }> {
  for (const suffix of ["", "-wal", "-shm"]) await rm(path + suffix, { force: true });
  await using snapshot = await openSnapshot(options);
  await copyRows(snapshot, path, options.log, { isArchive: true });
  await using file = await open(path, "r+");
  await file.sync();
  return { isOpenable: snapshot.schema === allMigrations.length };
}

/** The names of the packs in a bucket to which rows of a backup refer. */
async function listPackFiles(path: string): Promise<ReadonlySet<string>> {
  try {
    await using rows = await openSqliteFile(path);
    return await listValues(rows, "store_packs", "file");
  } finally {
    for (const suffix of ["-wal", "-shm"]) await rm(path + suffix, { force: true });
  }
}

interface BucketContent {
  /** The packs that belong to the backup, if several nodes share them. */
  readonly packs: ReadonlySet<string> | undefined;
  readonly base: string | undefined;
}

/** Copies the files that are in a bucket. */
async function copyBucket(config: Config, target: string, { packs, base }: BucketContent): Promise<readonly Counts[]> {
  if (config.storage.url === "") return [];
  const stores = openFileStores(config);
  const copied: Counts[] = [];
  for (const [name, files] of Object.entries({ avatars: stores.avatars, files: stores.files, ...(packs && stores.packFiles && { packs: stores.packFiles }) }))
    copied.push(await copyStoreFiles(files, join(target, name), { wanted: name === "packs" ? packs : undefined, base: base && join(base, name) }));
  return copied;
}

/** Copies stores one after another. Git writes a pack before it deletes what the pack replaces, and `pack` is listed last. */
async function copyStores(
  { source, target, base }: { readonly source: string; readonly target: string; readonly base: string | undefined },
  isResumed: boolean,
): Promise<Counts> {
  const sum = { files: 0, bytes: 0, linked: 0, linkedBytes: 0 };
  for (const shard of await namesIn(source, /^[0-9a-f]{2}$/)) {
    for (const name of await namesIn(join(source, shard), /^\d+\.git$/)) {
      for (let round = 1; ; round += 1) {
        const copied = await copyTree(join(source, shard, name), join(target, shard, name), {
          skips: (path) => isTemporary(path) || isDerivedInStore(path),
          skipsExisting: (path) => round > 1 || (isResumed && isFixedInStore(path)),
          base: base === undefined ? undefined : { folder: join(base, shard, name), isFixed: isFixedInStore },
        });
        if (copied.vanished > 0 && round < maxRounds) continue;
        // The rows, which were copied before, may need them.
        await returnSetAside(join(target, shard, name));
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
  for (const name of Object.values(dumpNames)) for (const suffix of ["", "-wal", "-shm"]) await rm(join(target, name + suffix), { force: true });
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
