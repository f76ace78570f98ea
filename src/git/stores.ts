import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { unavailable } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { type CatFileLimits, type CatFilePool, createCatFilePool } from "./objects/cat-file-pool.ts";
import {
  alreadyExists,
  ensureDirectory,
  isMissing,
  onStorage,
  removeQuietly,
  replaceFile,
  settleAll,
  syncDirectory,
  temporaryName,
} from "./objects/durable-fs.ts";
import { createObjectCache, type ObjectCache } from "./objects/object-cache.ts";
import { createGitHome, type GitHome, repositoryConfig } from "./run/environment.ts";
import { createRunner, type GitCounters, type GitRunner, type GitTarget, type LaneBounds } from "./run/runner.ts";
import { openSnapshotDirectories, type SnapshotDirectories } from "./send/ref-snapshots.ts";
import type { ObjectFormat } from "./types.ts";

/**
 * A handle on one store: cheap to make, holds nothing, and is what every function of this folder takes first.
 * A store whose directory is not there yet is an empty one; {@link materialize} makes it before the first write.
 */
export interface GitStore extends GitTarget {
  readonly id: number;
  readonly format: ObjectFormat;
  /** The bare repository. */
  readonly path: string;
  /** Where new objects of this handle go: the repository's own, or a quarantine's. */
  readonly objectsPath: string;
  /** True for a handle on a quarantine: it reads the repository's objects through it. */
  readonly isQuarantine: boolean;
  readonly shared: StoreShared;
}

/** What all stores of a server have in common. */
export interface StoreShared {
  readonly root: string;
  readonly home: GitHome;
  readonly runner: GitRunner;
  readonly pool: CatFilePool;
  readonly cache: ObjectCache;
  readonly log: Log;
  /** Where git processes read refs. */
  readonly snapshots: SnapshotDirectories;
  /** Paths of stores that are known to be on disk. */
  readonly present: Set<string>;
}

export interface GitStores {
  readonly root: string;
  readonly counters: GitCounters;
  store(id: number, format: ObjectFormat): GitStore;
  /** Removes a store from disk. Its id is never used again. */
  remove(id: number): Promise<void>;
  close(): Promise<void>;
  readonly shared: StoreShared;
}

export interface GitStoresOptions {
  /** The directory of all stores; made when missing. */
  readonly root: string;
  readonly log: Log;
  /** `PATH` for git. */
  readonly searchPath: string;
  readonly lanes?: LaneBounds;
  readonly catFile?: Partial<CatFileLimits>;
  /** Bytes of parsed and raw objects kept in memory. */
  readonly cacheBytes?: number;
  /** Name or path of the git program. */
  readonly program?: string;
  /** What one git process that works on what somebody pushed may allocate. */
  readonly memoryBytes?: number;
}

/** @throws ForgeError `unavailable` when the root cannot be written */
export async function openGitStores(options: GitStoresOptions): Promise<GitStores> {
  const { root, log } = options;
  const home = await onStorage(async () => {
    await ensureDirectory(root);
    return createGitHome(join(root, "home"), options.searchPath);
  });
  const runner = createRunner({
    home,
    log,
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
    log,
    snapshots: await openSnapshotDirectories(join(home.directory, "snapshots"), log),
    present: new Set(),
  };
  return {
    root,
    shared,
    counters: runner.counters,
    store: (id, format) => createStore(shared, id, format),
    remove: (id) => removeStore(shared, id),
    async close() {
      await shared.pool.close();
      await runner.close();
      await shared.snapshots.close();
    },
  };
}

/** `<root>/<id modulo 256 in two hex digits>/<id>.git`: never a name that a user chose. */
export function storePath(root: string, id: number): string {
  if (!Number.isSafeInteger(id) || id < 1) throw new TypeError("a store id is a positive integer");
  return join(root, (id % 256).toString(16).padStart(2, "0"), `${id}.git`);
}

function createStore(shared: StoreShared, id: number, format: ObjectFormat): GitStore {
  const path = storePath(shared.root, id);
  const store: GitStore = {
    id,
    format,
    path,
    objectsPath: join(path, "objects"),
    isQuarantine: false,
    key: String(id),
    runner: shared.runner,
    shared,
    async environment() {
      // The store's own directory shows refs of some earlier moment: no process reads it.
      const directory = { GIT_DIR: shared.home.neutralDirectory(format) };
      return (await isPresent(store)) ? { ...directory, GIT_OBJECT_DIRECTORY: store.objectsPath } : directory;
    },
  };
  return store;
}

/** What is refused need not be durable, and what is promoted is synced then: git syncs nothing in a quarantine. */
const promotionSyncs = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.fsync", GIT_CONFIG_VALUE_0: "none" };

/**
 * A handle that writes into `objectsPath` and reads what is there and what the store has. Its cache entries are its own,
 * so that nothing of a refused quarantine is ever found through the store.
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

/** One entry of the colon-separated list, quoted as git does so that a colon in the path is none of the list's. */
export function quotedPath(path: string): string {
  return `"${path.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Whether the store's directory is there. */
export async function isPresent(store: GitStore): Promise<boolean> {
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

/** What HEAD stands for in a store until its refs are shown. */
export const initialHead = "refs/heads/main";

/** What git asks of a repository besides objects and refs. HEAD is the projection's from the first ref on. */
const frame = [
  { name: "HEAD", content: (): string => `ref: ${initialHead}\n` },
  { name: "config", content: ({ format }: GitStore): string => repositoryConfig(format) },
];

/**
 * Looked at once in the life of the server: files that were just made may be empty after a power cut, and what they held is known.
 * Throws ENOENT where there is no store.
 */
async function mendFrame(store: GitStore): Promise<void> {
  for (const { name, content } of frame) {
    const path = join(store.path, name);
    if (!/[^\0\s]/.test(readFileSync(path, "utf8"))) await replaceFile(path, content(store));
  }
}

/**
 * Puts files into the directory of that path before it is seen. Resolves when their names are there, with what makes durable all that
 * {@link materialize} does not: the contents, and the names in directories below `objects`.
 */
type Furnish = (path: string) => Promise<readonly Promise<void>[]>;

/**
 * Makes the bare repository on disk in one step. Starts no process; does nothing when it is there. Its directories are durable afterwards; the
 * contents of its two files need not be ({@link mendFrame}), since every sync costs as much as everything else that is done here.
 * What is synced is synced at once, so that the file system has one journal entry to write instead of one for each.
 * @returns whether it was made, and furnished, here
 */
export async function materialize(store: GitStore, furnish: Furnish = async () => []): Promise<boolean> {
  if (await isPresent(store)) return false;
  return onStorage(async () => {
    let isOurs = true;
    const parent = join(store.path, "..");
    await ensureDirectory(parent);
    const temporary = join(parent, temporaryName(`tmp_${store.id}.git-`));
    try {
      for (const directory of ["", "refs", "objects", "objects/info", "objects/pack"]) mkdirSync(join(temporary, directory));
      const contents = await furnish(temporary);
      await settleAll([...contents, writeFrame(store, temporary), syncDirectory(join(temporary, "objects")), syncDirectory(temporary)]);
      renameSync(temporary, store.path);
    } catch (error) {
      removeQuietly(temporary);
      // Another writer was first: its directory is as good as ours.
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

async function removeStore(shared: StoreShared, id: number): Promise<void> {
  const path = storePath(shared.root, id);
  shared.present.delete(path);
  await shared.pool.closeStore(String(id));
  await onStorage(async () => {
    // Renamed first, so that a crash in the middle leaves no half repository under the store's name.
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
