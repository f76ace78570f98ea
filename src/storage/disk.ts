import { createHash } from "node:crypto";
import { renameSync } from "node:fs";
import { open, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { release } from "../core/detach-buffer.ts";
import { createDurableDirectories, isMissing, onStorage, replaceFile, syncDirectory } from "../git/objects/durable-fs.ts";
import { type FilePart, type FileStore, isName, measure, newCopyName, newName, requireName, type SweepMode, type UsedNames } from "./files.ts";
import { withIncoming } from "./incoming.ts";

/** Stores files in a folder of the local disk. @param root created with the first file */
export function openDiskFiles(root: string): FileStore {
  const directories = createDurableDirectories(dirname(root));
  const pathOf = (name: string): string => join(root, requireName(name).slice(0, 2), name);
  return {
    put: (content) =>
      onStorage(async () => {
        const name = newName();
        await directories.ensure(dirname(pathOf(name)));
        await replaceFile(pathOf(name), content);
        return name;
      }),
    receive: (source, { maxBytes }) =>
      onStorage(async () => {
        const { content, received } = measure(source, maxBytes);
        return withIncoming(root, content, async (path) => {
          const { digest, sizeBytes } = received();
          const name = newCopyName(digest);
          const folder = dirname(pathOf(name));
          await directories.ensure(folder);
          renameSync(path, pathOf(name));
          await syncDirectory(folder);
          return { name, digest, sizeBytes };
        });
      }),
    get: (name) => onStorage(() => unlessMissing(readFile(pathOf(name)), undefined)),
    sizeOf: (name) => onStorage(async () => (await unlessMissing(stat(pathOf(name)), undefined))?.size),
    read: (name, part) => readChunks(pathOf(name), part),
    delete: (name) => onStorage(() => rm(pathOf(name), { force: true })),
    list: () => listDiskFiles(root),
    sweep: (beforeMs, used, mode = "delete") => onStorage(() => sweepFolders(root, beforeMs, used, mode)),
  };
}

/** Bytes per read, into one buffer per reader. */
const readBytes = 256 * 1024;

async function* readChunks(path: string, { start, end }: FilePart = { start: 0, end: Number.POSITIVE_INFINITY }): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafeSlow(Math.min(readBytes, end + 1 - start));
    for (let at = start; at <= end; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end + 1 - at), at);
      if (bytesRead === 0) break;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
    // The caller has finished with the last chunk.
    release(buffer.buffer);
  } finally {
    await file.close();
  }
}

/** Visits all folders of a folder, including that of incoming files. @returns the number of old and unused files */
export async function sweepFolders(root: string, beforeMs: number, used: UsedNames, mode: SweepMode): Promise<number> {
  let unused = 0;
  for (const shard of await unlessMissing(readdir(root), [])) {
    const old: string[] = [];
    for (const name of await readdir(join(root, shard))) {
      if (await isOlder(join(root, shard, name), beforeMs)) old.push(name);
    }
    const names = old.filter(isName);
    const inUse = names.length === 0 ? new Set<string>() : await used(names);
    for (const name of old.filter((candidate) => !inUse.has(candidate))) {
      if (mode === "delete") await rm(join(root, shard, name), { force: true });
      unused += 1;
    }
  }
  return unused;
}

async function isOlder(path: string, beforeMs: number): Promise<boolean> {
  const stats = await unlessMissing(stat(path), undefined);
  return stats !== undefined && stats.mtimeMs < beforeMs;
}

async function unlessMissing<T>(found: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return otherwise;
    throw error;
  }
}

/** All files of a folder with their names. */
export async function* listDiskFiles(root: string): AsyncGenerator<{ readonly name: string; readonly path: string; readonly sizeBytes: number }> {
  for (const shard of await unlessMissing(readdir(root), []))
    for (const name of (await unlessMissing(readdir(join(root, shard)).catch(unlessFile), [])).filter(isName)) {
      const path = join(root, shard, name);
      yield { name, path, sizeBytes: (await stat(path)).size };
    }
}

const unlessFile = (error: NodeJS.ErrnoException): string[] => {
  if (error.code === "ENOTDIR") return [];
  throw error;
};

/** @throws Error if a file named by its content has another one */
export async function requireContent(name: string, path: string): Promise<void> {
  const digest = /^([0-9a-f]{64})-/.exec(name)?.[1];
  if (digest === undefined) return;
  const hash = createHash("sha256");
  for await (const chunk of readChunks(path)) hash.update(chunk);
  if (hash.digest("hex") !== digest) throw new Error(`${path} is damaged: its content is not that of its name; restore it from a backup`);
}
