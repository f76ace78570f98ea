import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { createSingleFlight, type SingleFlight } from "../core/single-flight.ts";
import { createGraphFiles, type GraphFiles } from "./history/graph-file.ts";
import { type CatFileLimits, type CatFilePool, createCatFilePool } from "./objects/cat-file-pool.ts";
import {
  alreadyExists,
  createDurableDirectories,
  type DurableDirectories,
  isMissing,
  onStorage,
  removeQuietly,
  replaceFile,
  settleAll,
  syncDirectory,
  temporaryName,
} from "./objects/durable-fs.ts";
import { createObjectCache, type ObjectCache } from "./objects/object-cache.ts";
import { openWrittenStores, type WrittenStores } from "./objects/written-stores.ts";
import { type PackHome, packsOnDisk } from "./pack-home.ts";
import { createGitHome, type GitHome, repositoryConfig } from "./run/environment.ts";
import { createRunner, type GitCounters, type GitRunner, type GitTarget, type LaneBounds } from "./run/runner.ts";
import { createSpawner, type Spawner } from "./run/spawner.ts";
import { openSnapshotDirectories, type SnapshotDirectories } from "./send/ref-snapshots.ts";
import type { ObjectFormat } from "./types.ts";

/**
 * A handle on one store, and the first parameter of every function in this folder. It is cheap to create and owns no resources.
 * A store whose directory does not exist yet reads as empty; {@link materialize} creates it before the first write.
 */
export interface GitStore extends GitTarget {
  readonly id: number;
  readonly format: ObjectFormat;
  /** Path of the bare repository. */
  readonly path: string;
  /** Where new objects of this handle are written: the repository's own directory, or a quarantine's. */
  readonly objectsPath: string;
  /** True for a handle on a quarantine, which also reads the repository's objects. */
  readonly isQuarantine: boolean;
  /** The packs that readers of this handle need. */
  readonly needs: NeededPacks;
  readonly shared: StoreShared;
}

/** Shared by a handle and those derived from it. */
export interface NeededPacks {
  /** A version of the list of packs. Undefined until the first read, which sets it to the present one. */
  version: number | undefined;
}

/** Shared by all stores of a server. */
export interface StoreShared {
  readonly root: string;
  readonly home: GitHome;
  readonly runner: GitRunner;
  readonly pool: CatFilePool;
  readonly cache: ObjectCache;
  readonly graphs: GraphFiles;
  readonly log: Log;
  /** Snapshot directories from which git processes read refs. */
  readonly snapshots: SnapshotDirectories;
  readonly directories: DurableDirectories;
  readonly packs: PackHome<GitStore>;
  /** Paths of stores that are known to exist on disk. */
  readonly present: Set<string>;
  /** Every write to the directory of a store is noted here first. */
  readonly written: WrittenStores;
  /** Work that concurrent requests share. Keys begin with the kind of the result and the key of the store. */
  readonly flights: SingleFlight;
}

export interface GitStores {
  readonly root: string;
  readonly counters: GitCounters;
  /**
   * @param packsVersion the version of the list of packs in the row from which the caller knows the store. Without it, the first read
   *   takes a statement if nodes share their packs
   */
  store(id: number, format: ObjectFormat, packsVersion?: number): GitStore;
  /** Removes a store from disk. Its id is never reused. */
  remove(id: number): Promise<void>;
  close(): Promise<void>;
  readonly shared: StoreShared;
}

export interface GitStoresOptions {
  /** The root directory of all stores; created if missing. */
  readonly root: string;
  readonly log: Log;
  /** `PATH` for git. */
  readonly searchPath: string;
  readonly lanes?: LaneBounds;
  readonly catFile?: Partial<CatFileLimits>;
  /** Maximum bytes of parsed and raw objects in the memory cache. */
  readonly cacheBytes?: number;
  /** Name or path of the git executable. */
  readonly program?: string;
  /** Memory limit of one git process that works on pushed data. */
  readonly memoryBytes?: number;
  /** Starts the processes of git. Default: one of its own. */
  readonly spawner?: Spawner | undefined;
  /** Default: the directories of the stores. */
  readonly packs?: PackHome<GitStore>;
}

/** @throws ForgeError `unavailable` if the root is not writable */
export async function openGitStores(options: GitStoresOptions): Promise<GitStores> {
  const { root, log } = options;
  const directories = createDurableDirectories(dirname(root));
  const home = await onStorage(async () => {
    await directories.ensure(root);
    return createGitHome(join(root, "home"), options.searchPath);
  });
  const runner = createRunner({
    home,
    log,
    spawner: options.spawner ?? createSpawner({ directory: home.directory, log }),
    ...(options.lanes === undefined ? {} : { lanes: options.lanes }),
    ...(options.program === undefined ? {} : { program: options.program }),
    ...(options.memoryBytes === undefined ? {} : { memoryBytes: options.memoryBytes }),
  });
  const shared: StoreShared = {
    root,
    home,
    runner,
    pool: createCatFilePool(runner, options.catFile),
    cache: createObjectCache(options.cacheBytes ?? 48 * 1024 * 1024),
    graphs: createGraphFiles(),
    log,
    snapshots: await openSnapshotDirectories(join(home.directory, "snapshots"), log),
    directories,
    packs: options.packs ?? packsOnDisk,
    present: new Set(),
    written: await openWrittenStores(join(home.directory, "written"), log),
    flights: createSingleFlight(),
  };
  return {
    root,
    shared,
    counters: runner.counters,
    store: (id, format, packsVersion) => createStore(shared, { id, format, needs: { version: packsVersion } }),
    remove: (id) => removeStore(shared, id),
    async close() {
      await shared.packs.close();
      await shared.pool.close();
      await runner.close();
      await shared.snapshots.close();
      shared.written.close();
    },
  };
}

/** `<root>/<id modulo 256 in two hex digits>/<id>.git`: never a name chosen by a user. */
export function storePath(root: string, id: number): string {
  if (!Number.isSafeInteger(id) || id < 1) throw new TypeError("a store id must be a positive integer");
  return join(root, (id % 256).toString(16).padStart(2, "0"), `${id}.git`);
}

function createStore(shared: StoreShared, { id, format, needs }: Pick<GitStore, "id" | "format" | "needs">): GitStore {
  const path = storePath(shared.root, id);
  const store: GitStore = {
    id,
    format,
    path,
    objectsPath: join(path, "objects"),
    isQuarantine: false,
    needs,
    key: String(id),
    runner: shared.runner,
    shared,
    async environment() {
      // The refs in the store's own directory may be stale, so no process reads it.
      const directory = { GIT_DIR: shared.home.neutralDirectory(format) };
      return (await isPresent(store)) ? { ...directory, GIT_OBJECT_DIRECTORY: store.objectsPath } : directory;
    },
  };
  return store;
}

/** Rejected objects need not be durable, and promoted ones are synced on promotion, so git does not sync in a quarantine. */
const promotionSyncs = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.fsync", GIT_CONFIG_VALUE_0: "none" };

/**
 * A handle that writes into `objectsPath` and also reads the store's objects. It has its own cache entries, so that objects of a rejected
 * quarantine are never found through the store.
 */
export function quarantineOf(store: GitStore, objectsPath: string): GitStore {
  const key = `${store.key}/${objectsPath.slice(objectsPath.lastIndexOf("/") + 1)}`;
  return {
    ...store,
    objectsPath,
    isQuarantine: true,
    key,
    environment: async () => ({
      ...(await store.environment()),
      GIT_OBJECT_DIRECTORY: objectsPath,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedPath(store.objectsPath),
      GIT_QUARANTINE_PATH: objectsPath,
      ...promotionSyncs,
    }),
  };
}

/** One entry of a colon-separated list, quoted as git does, in case the path contains a colon. */
export function quotedPath(path: string): string {
  return `"${path.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Later reads of a handle, and of those derived from it, find the objects of this version of the list of packs. */
export function needPacks({ needs }: GitStore, version: number): void {
  // An undefined version becomes the present one with the next read.
  if (needs.version !== undefined && needs.version < version) needs.version = version;
}

/** Whether the store's directory exists. It then has the packs that the handle needs. */
export async function isPresent(store: GitStore): Promise<boolean> {
  const { packs } = store.shared;
  const arrival = packs.bring(store);
  if (arrival !== undefined) await arrival;
  return hasDirectory(store);
}

async function hasDirectory(store: GitStore): Promise<boolean> {
  const { present } = store.shared;
  if (present.has(store.path)) return true;
  try {
    await mendFrame(store);
  } catch (error) {
    if (isMissing(error)) return false;
    throw unavailable("the storage cannot be read", { cause: error, meta: { storeId: store.id } });
  }
  present.add(store.path);
  return true;
}

/** Target of HEAD in a store until its refs are projected. */
export const initialHead = "refs/heads/main";

/** Files that git requires in a repository besides objects and refs. HEAD belongs to the projection once a ref exists. */
const frame = [
  { name: "HEAD", content: (): string => `ref: ${initialHead}\n` },
  { name: "config", content: ({ format }: GitStore): string => repositoryConfig(format) },
];

/**
 * Checked once per server process: new files may be empty after a power cut, and their contents are known.
 * Throws ENOENT if the store does not exist.
 */
async function mendFrame(store: GitStore): Promise<void> {
  for (const { name, content } of frame) {
    const path = join(store.path, name);
    if (!/[^\0\s]/.test(readFileSync(path, "utf8"))) await replaceFile(path, content(store));
  }
}

/**
 * Writes files into a store's directory before it becomes visible. Resolves once their names exist, with promises for the syncs that {@link
 * materialize} does not do: the contents, and the names in directories below `objects`.
 */
type Furnish = (path: string) => Promise<readonly Promise<void>[]>;

/**
 * Creates the bare repository in one step, without a process; a no-op if it exists. Its directories are durable afterwards. The contents of
 * its two files need not be ({@link mendFrame}), since every sync costs as much as all the other work here.
 * Syncs run concurrently, so that the file system writes one journal entry for all of them.
 * @returns whether this call created and furnished it
 */
export async function materialize(store: GitStore, furnish?: Furnish): Promise<boolean> {
  store.shared.written.note(store.id);
  return (await isPresent(store)) ? false : makeDirectory(store, furnish);
}

/** As {@link materialize}, for a directory that may lack packs. */
export async function makeDirectory(store: GitStore, furnish: Furnish = async () => []): Promise<boolean> {
  if (await hasDirectory(store)) return false;
  return onStorage(async () => {
    let isOurs = true;
    const parent = join(store.path, "..");
    await store.shared.directories.ensure(parent);
    const temporary = join(parent, temporaryName(`tmp_${store.id}.git-`));
    try {
      for (const directory of ["", "refs", "objects", "objects/info", "objects/pack"]) mkdirSync(join(temporary, directory));
      const contents = await furnish(temporary);
      await settleAll([...contents, writeFrame(store, temporary), syncDirectory(join(temporary, "objects")), syncDirectory(temporary)]);
      renameSync(temporary, store.path);
    } catch (error) {
      removeQuietly(temporary);
      // Another writer was first; its directory is equivalent.
      if (!alreadyExists(error)) throw error;
      isOurs = false;
    }
    await syncDirectory(parent);
    store.shared.present.add(store.path);
    return isOurs;
  });
}

async function writeFrame(store: GitStore, path: string): Promise<void> {
  for (const { name, content } of frame) if (!existsSync(join(path, name))) writeFileSync(join(path, name), content(store));
}

/** Removes the directory of a store. */
export async function removeStore(shared: StoreShared, id: number): Promise<void> {
  const path = storePath(shared.root, id);
  shared.present.delete(path);
  shared.packs.forget(id);
  shared.written.note(id);
  await shared.pool.closeStore(String(id));
  await onStorage(async () => {
    // Renamed first, so that a crash during the removal leaves no partial repository under the store's name.
    const doomed = join(path, "..", temporaryName(`tmp_${id}.git-`));
    try {
      await rename(path, doomed);
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
    await rm(doomed, { recursive: true, force: true });
  });
}
