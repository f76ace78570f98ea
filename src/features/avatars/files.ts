import { randomBytes } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ensureDirectory, isMissing, onStorage, replaceFile } from "../../git/durable-fs.ts";

/**
 * Files under names that nobody can guess. Each is written once, belongs to one row, and is never changed: so a file that no row names can
 * go without a thought for others, and having a picture tells nobody whether it is kept here.
 */
export interface FileStore {
  /** Keeps a file durably. @returns its name: 64 hex digits */
  put(content: Uint8Array): Promise<string>;
  get(name: string): Promise<Buffer | undefined>;
  delete(name: string): Promise<void>;
  /**
   * Deletes what was written before `beforeMs`, by the file system's clock, and is not in use; and what a killed process left half-written.
   * @param used which of some names are in use
   */
  sweep(beforeMs: number, used: (names: readonly string[]) => Promise<ReadonlySet<string>>): Promise<number>;
}

const namePattern = /^[0-9a-f]{64}$/;

/** @param root made with the first file */
export function openFileStore(root: string): FileStore {
  const pathOf = (name: string): string => {
    if (!namePattern.test(name)) throw new Error("a name that this store has not given");
    return join(root, name.slice(0, 2), name);
  };
  return {
    put: (content) =>
      onStorage(async () => {
        const name = randomBytes(32).toString("hex");
        await ensureDirectory(join(root, name.slice(0, 2)));
        await replaceFile(pathOf(name), content);
        return name;
      }),
    get: (name) => onStorage(() => unlessMissing(readFile(pathOf(name)), undefined)),
    delete: (name) => onStorage(() => rm(pathOf(name), { force: true })),
    sweep: (beforeMs, used) =>
      onStorage(async () => {
        let removed = 0;
        for (const shard of await unlessMissing(readdir(root), [])) {
          const old: string[] = [];
          for (const name of await readdir(join(root, shard))) {
            if (await isOlder(join(root, shard, name), beforeMs)) old.push(name);
          }
          const inUse = old.length === 0 ? new Set<string>() : await used(old.filter((name) => namePattern.test(name)));
          for (const name of old.filter((candidate) => !inUse.has(candidate))) {
            await rm(join(root, shard, name), { force: true });
            removed += 1;
          }
        }
        return removed;
      }),
  };
}

async function isOlder(path: string, beforeMs: number): Promise<boolean> {
  const facts = await unlessMissing(stat(path), undefined);
  return facts !== undefined && facts.mtimeMs < beforeMs;
}

async function unlessMissing<T>(found: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return otherwise;
    throw error;
  }
}
