import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import type { Log } from "../core/log.ts";
import type { Sealer } from "../core/sealer.ts";
import type { Db } from "../db/db.ts";
import { takeInstanceLock } from "../db/instance-lock.ts";
import { peekServerValue } from "../db/open.ts";
import { loadOrCreateServerValue } from "../db/server-values.ts";
import { createSharedPacks } from "../features/repositories/refs/service/shared-packs.ts";
import { hasStores } from "../features/repositories/refs/service/stores.ts";
import { namesOfStores } from "../features/repositories/repos/service/stores.ts";
import type { PackHome } from "../git/pack-home.ts";
import type { LaneBounds } from "../git/run/runner.ts";
import type { Spawner } from "../git/run/spawner.ts";
import { openPackCache, type PackCache } from "../git/send/pack-cache.ts";
import { type GitStore, type GitStores, openGitStores } from "../git/stores.ts";
import type { FileStores } from "../storage/open.ts";
import { createLog } from "./log.ts";

export interface OpenStoresOptions {
  readonly db: Db;
  readonly fileStores: Pick<FileStores, "packFiles">;
  readonly log: Log;
  /** `server` (the default) owns the directories of the stores. `tool` works next to a server that may be running. */
  readonly role?: "server" | "tool";
  readonly lanes?: LaneBounds;
  /** Replaces the packs of stores on a local disk. */
  readonly packs?: PackHome<GitStore> | undefined;
  readonly spawner?: Spawner | undefined;
}

export interface OpenedStores {
  readonly git: GitStores;
  /** Whether several nodes share the packs. The directories of the stores are then copies. */
  readonly areShared: boolean;
}

/**
 * Opens the git stores where the packs of this database are: in the data folder, or in the database and a bucket for several nodes.
 * @throws ConfigError for a missing setting; ForgeError `unavailable`
 */
export async function openStores(config: Config, { db, fileStores, log, role = "server", lanes, packs, spawner }: OpenStoresOptions): Promise<OpenedStores> {
  const root = join(config.dataDirectory, "repositories");
  const options = { root, log, searchPath: config.searchPath, program: config.git.binary, spawner, ...(lanes && { lanes }) };
  if (!(await arePacksShared(db, fileStores))) return { git: await openGitStores({ ...options, ...(packs && { packs }) }), areShared: false };
  if (fileStores.packFiles === undefined)
    throw new ConfigError("the repositories of this database are in a bucket: set HEARTH_STORAGE_URL to its address, as on the other nodes");
  const nameOf = async (storeId: number): Promise<string | undefined> => (await namesOfStores(db, [storeId])).get(storeId);
  const release = role === "server" ? lockFolder(config.dataDirectory, root) : () => {};
  try {
    const git = await openGitStores({
      ...options,
      packs: createSharedPacks({ db, files: fileStores.packFiles, log, nameOf }, { role, maxBytes: config.storage.cache_bytes }),
    });
    return {
      areShared: true,
      git: {
        ...git,
        async close() {
          await git.close();
          release();
        },
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Name of the server value: `bucket`, `disk`, or `to-bucket` and `to-disk` while they are being moved. */
export const placeOfPacks = "packs";
const isShared = (place: string | undefined): boolean => place === "bucket";

/** Whether the directories of the stores are copies of packs in the database and in a bucket. Does not change the database. */
export const haveSharedPacks = async ({ database }: Config): Promise<boolean> =>
  database.url !== "" && isShared(await peekServerValue(database.url, placeOfPacks, createLog("error")));

/** Decided when the database is new, because packs do not move on their own. */
export const readPlace = (db: Db, { packFiles }: Pick<FileStores, "packFiles">): Promise<string> =>
  loadOrCreateServerValue(db, placeOfPacks, async () => (packFiles !== undefined && !(await hasStores(db)) ? "bucket" : "disk"));

async function arePacksShared(db: Db, fileStores: Pick<FileStores, "packFiles">): Promise<boolean> {
  if (db.dialect === "sqlite") return false;
  const place = await readPlace(db, fileStores);
  if (place.startsWith("to-"))
    throw new ConfigError(`the repositories are being moved: run \`hearth storage move ${place.slice("to-".length)}\` until it is complete`);
  return isShared(place);
}

/** Two processes would remove each other's packs. */
function lockFolder(dataDirectory: string, root: string): () => void {
  mkdirSync(root, { recursive: true });
  const lock = takeInstanceLock(join(root, "node-lock"));
  if (lock === undefined) throw new ConfigError(`another Hearth process uses the data folder ${dataDirectory}: set HEARTH_DATA to another one for this node`);
  return () => lock.release();
}

const keyCheck = "secret_key.check";

/** Nodes with different keys could not read each other's secrets. @throws ConfigError */
export async function requireSameKey(db: Db, sealer: Sealer): Promise<void> {
  const sealed = await loadOrCreateServerValue(db, keyCheck, async () => sealer.seal(keyCheck, "ok"));
  if (sealer.open(keyCheck, sealed) !== "ok")
    throw new ConfigError("the secret key differs from that of the other nodes: set HEARTH_SECRET_KEY to the same value on all of them");
}

/** Packs are cached for later requests only if they were requested repeatedly within this time. */
const keptPacksMs = 7 * 86_400_000;

/** Opens the cache of responses to clones in the data folder. */
export const openConfiguredPackCache = ({ dataDirectory, git }: Config, log: Log): Promise<PackCache> =>
  openPackCache({
    directory: join(dataDirectory, "cache", "packs"),
    log,
    maxBytes: git.pack_cache_bytes,
    maxEntryBytes: git.pack_cache_bytes / 2,
    maxAgeMs: keptPacksMs,
  });
