import { createReadStream, renameSync } from "node:fs";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ensureDirectory, isMissing, onStorage, openNewFile, removeQuietly, replaceFile, syncDirectory, temporaryName } from "../git/durable-fs.ts";
import { type FileStore, isName, measure, newName, type ReceivedFile, requireName } from "./files.ts";

/** Files in a folder of the local disk. @param root made with the first file */
export function openDiskFiles(root: string): FileStore {
  const pathOf = (name: string): string => join(root, requireName(name).slice(0, 2), name);
  const newPlace = async () => {
    const name = newName();
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
    sweep: (beforeMs, used, mode = "delete") =>
      onStorage(async () => {
        let unused = 0;
        for (const shard of await unlessMissing(readdir(root), [])) {
          const old: string[] = [];
          for (const name of await readdir(join(root, shard))) {
            if (await isOlder(join(root, shard, name), beforeMs)) old.push(name);
          }
          const inUse = old.length === 0 ? new Set<string>() : await used(old.filter(isName));
          for (const name of old.filter((candidate) => !inUse.has(candidate))) {
            if (mode === "delete") await rm(join(root, shard, name), { force: true });
            unused += 1;
          }
        }
        return unused;
      }),
  };
}

async function writeAll(path: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Omit<ReceivedFile, "name">> {
  const file = openNewFile(path);
  const { content, facts } = measure(source, maxBytes);
  try {
    for await (const chunk of content) await file.write(chunk);
    await file.sync();
  } finally {
    file.close();
  }
  return facts();
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
