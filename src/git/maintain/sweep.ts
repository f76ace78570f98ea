import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../objects/durable-fs.ts";
import { type GitStores, storePath } from "../stores.ts";

/**
 * Removes what killed processes leave behind: lock files that would block every later write, quarantines, half-written files.
 * Temporary files among loose objects are left to `git prune`, which removes them anyway.
 */

export interface SweepReport {
  readonly stores: number;
  readonly removed: number;
  /** Number of stores that could not be swept; the log has the reasons. */
  readonly failed: number;
}

/** Directories of a repository and the file names to remove in them. */
const debris: readonly (readonly [directory: string, pattern: RegExp])[] = [
  ["", /\.lock$|^tmp_/],
  ["refs", /\.lock$/],
  ["objects", /^tmp_/],
  ["objects/info", /\.lock$|^tmp_/],
  ["objects/info/commit-graphs", /\.lock$|^tmp_/],
  ["objects/pack", /\.lock$|^tmp_|^\.tmp-/],
];

const parallel = 4;

/**
 * Sweeps all stores. Removes only files last changed before `beforeMs`, so that it can run during live work: pass the server's start time.
 * A broken store does not stop the others.
 */
export async function sweepStores(stores: GitStores, beforeMs: number): Promise<SweepReport> {
  const { root, shared } = stores;
  let swept = 0;
  let removed = 0;
  let failed = 0;
  const remove = async (directory: string, pattern: RegExp): Promise<void> => {
    const names = await readdir(directory).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const name of names.filter((candidate) => pattern.test(candidate))) {
      const path = join(directory, name);
      if (!(await isOlder(path, beforeMs))) continue;
      await rm(path, { recursive: true, force: true });
      removed += 1;
    }
  };
  const sweepShard = async (shard: string): Promise<void> => {
    await remove(join(root, shard), /^tmp_/);
    for (const name of await readdir(join(root, shard))) {
      const id = /^([1-9][0-9]*)\.git$/.exec(name)?.[1];
      if (id === undefined) continue;
      try {
        for (const [directory, pattern] of debris) await remove(join(storePath(root, Number(id)), directory), pattern);
        swept += 1;
      } catch (error) {
        failed += 1;
        shared.log.error({ err: error, storeId: Number(id) }, "a store could not be swept");
      }
    }
  };
  const shards = (await readdir(root)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const next = async (): Promise<void> => {
    for (let shard = shards.pop(); shard !== undefined; shard = shards.pop()) await sweepShard(shard);
  };
  await Promise.all(Array.from({ length: parallel }, next));
  return { stores: swept, removed, failed };
}

async function isOlder(path: string, beforeMs: number): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < beforeMs;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
