import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
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

/** The folders of stores (`storePath`) that a sweep reads, by name, with the ids of the stores in them; all stores of a folder without ids. */
type Shards = ReadonlyMap<string, ReadonlySet<number> | undefined>;

/** Sweeps the stores that ended processes have written to last (`written-stores.ts`). */
export async function sweepLeft(stores: GitStores, beforeMs: number): Promise<SweepReport> {
  const { written } = stores.shared;
  const shards = new Map<string, Set<number>>();
  for (const id of written.left) {
    const shard = basename(dirname(storePath(stores.root, id)));
    shards.set(shard, (shards.get(shard) ?? new Set()).add(id));
  }
  const report = await sweepShards(stores, beforeMs, shards);
  await written.forgetLeft();
  return report;
}

/** Sweeps one of `parts` equal parts of all stores; all of them by default. */
export async function sweepStores(stores: GitStores, beforeMs: number, { part, parts } = { part: 0, parts: 1 }): Promise<SweepReport> {
  const names = (await readdir(stores.root)).filter((name) => /^[0-9a-f]{2}$/.test(name) && Number.parseInt(name, 16) % parts === part);
  return sweepShards(stores, beforeMs, new Map(names.map((name) => [name, undefined])));
}

/**
 * Removes only files last changed before `beforeMs`, so that it can run during live work: pass the server's start time. A broken store does
 * not stop the others.
 */
async function sweepShards({ root, shared }: GitStores, beforeMs: number, shards: Shards): Promise<SweepReport> {
  let swept = 0;
  let removed = 0;
  let failed = 0;
  const list = (directory: string): Promise<string[]> =>
    readdir(directory).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
  const remove = async (directory: string, pattern: RegExp): Promise<void> => {
    for (const name of (await list(directory)).filter((candidate) => pattern.test(candidate))) {
      const path = join(directory, name);
      if (!(await isOlder(path, beforeMs))) continue;
      await rm(path, { recursive: true, force: true });
      removed += 1;
    }
  };
  const sweepShard = async ([shard, only]: readonly [string, ReadonlySet<number> | undefined]): Promise<void> => {
    await remove(join(root, shard), /^tmp_/);
    for (const name of await list(join(root, shard))) {
      const id = Number(/^([1-9][0-9]*)\.git$/.exec(name)?.[1]);
      if (Number.isNaN(id) || only?.has(id) === false) continue;
      try {
        for (const [directory, pattern] of debris) await remove(join(storePath(root, id), directory), pattern);
        swept += 1;
      } catch (error) {
        failed += 1;
        shared.log.error({ err: error, storeId: id }, "a store could not be swept");
      }
    }
  };
  const waiting = [...shards];
  const next = async (): Promise<void> => {
    for (let shard = waiting.pop(); shard !== undefined; shard = waiting.pop()) await sweepShard(shard);
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
