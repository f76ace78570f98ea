import { createHash, randomBytes } from "node:crypto";
import { createReadStream, renameSync } from "node:fs";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { tooLarge } from "../core/errors.ts";
import { ensureDirectory, isMissing, onStorage, openNewFile, removeQuietly, replaceFile, syncDirectory, temporaryName } from "../git/durable-fs.ts";

/**
 * Files under names that nobody can guess. Each is written once, belongs to one row, and is never changed: so a file that no row names can
 * go without a thought for others, and having a content tells nobody whether it is kept here (docs/decisions/0010).
 * What has to be found by its digest keeps that in its row.
 */
export interface FileStore {
  /** Keeps a file durably. @returns its name: 64 hex digits */
  put(content: Uint8Array): Promise<string>;
  /**
   * Keeps a file durably as it comes; no more of it is in memory than the source hands out at once. When it does not come to its end nothing is kept.
   * @throws ForgeError `too_large`; whatever the source throws, which is no error of a file system
   */
  receive(source: AsyncIterable<Uint8Array>, limits: { readonly maxBytes: number }): Promise<ReceivedFile>;
  get(name: string): Promise<Buffer | undefined>;
  /** @returns undefined when there is none of this name */
  sizeOf(name: string): Promise<number | undefined>;
  /** A file, or the part of it from `start` to `end`, both included. It fails with ENOENT for one that is not there. */
  read(name: string, part?: { readonly start: number; readonly end: number }): Readable;
  delete(name: string): Promise<void>;
  /**
   * Deletes what was written before `beforeMs`, by the file system's clock, and is not in use; and what a killed process left half-written.
   * @param used which of some names are in use
   */
  sweep(beforeMs: number, used: (names: readonly string[]) => Promise<ReadonlySet<string>>): Promise<number>;
}

export interface ReceivedFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** SHA-256, as hex. */
  readonly digest: string;
}

const namePattern = /^[0-9a-f]{64}$/;

/** @param root made with the first file */
export function openFileStore(root: string): FileStore {
  const pathOf = (name: string): string => {
    if (!namePattern.test(name)) throw new Error("a name that this store has not given");
    return join(root, name.slice(0, 2), name);
  };
  const newPlace = async () => {
    const name = randomBytes(32).toString("hex");
    const folder = join(root, name.slice(0, 2));
    await ensureDirectory(folder);
    return { name, folder };
  };
  return {
    put: (content) =>
      onStorage(async () => {
        const { name } = await newPlace();
        await replaceFile(pathOf(name), content);
        return name;
      }),
    receive: (source, { maxBytes }) =>
      onStorage(async () => {
        const { name, folder } = await newPlace();
        const temporary = join(folder, temporaryName("tmp_"));
        try {
          const facts = await writeAll(temporary, source, maxBytes);
          renameSync(temporary, pathOf(name));
          await syncDirectory(folder);
          return { name, ...facts };
        } catch (error) {
          removeQuietly(temporary);
          throw error;
        }
      }),
    get: (name) => onStorage(() => unlessMissing(readFile(pathOf(name)), undefined)),
    sizeOf: (name) => onStorage(async () => (await unlessMissing(stat(pathOf(name)), undefined))?.size),
    read: (name, part) => createReadStream(pathOf(name), part),
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

async function writeAll(path: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Omit<ReceivedFile, "name">> {
  const file = openNewFile(path);
  const hash = createHash("sha256");
  let sizeBytes = 0;
  try {
    for await (const chunk of source) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw tooLarge(`the file is larger than the ${maxBytes} bytes taken here`);
      hash.update(chunk);
      await file.write(chunk);
    }
    await file.sync();
  } finally {
    file.close();
  }
  return { sizeBytes, digest: hash.digest("hex") };
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
