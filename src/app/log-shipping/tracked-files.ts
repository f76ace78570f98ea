import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { isMissing } from "../../git/objects/durable-fs.ts";
import { type PackHome, packsOnDisk } from "../../git/pack-home.ts";
import { listPacks } from "../../git/receive/pack-parts.ts";
import type { GitStore } from "../../git/stores.ts";
import { listDiskFiles } from "../../storage/disk.ts";
import type { FileStore } from "../../storage/files.ts";
import type { FileStores } from "../../storage/open.ts";

/** Files of the data folder that rows refer to. They never change once they are written. */

export type NoteFile = (path: string) => void;

/** Notes the files of each pack before a transaction may refer to them. */
export const notingPacks = (dataDirectory: string, note: NoteFile): PackHome<GitStore> => ({
  ...packsOnDisk,
  async publish(store, names) {
    for (const name of names) for (const ending of packEndings) note(relative(dataDirectory, join(store.objectsPath, "pack", name + ending)));
  },
  async share(_from, to) {
    for (const path of await listStore(to.path)) note(relative(dataDirectory, path));
  },
});

const packEndings = [".pack", ".idx"] as const;

/** Notes each uploaded file before a transaction may refer to it. */
export function notingFiles(stores: FileStores, note: NoteFile): FileStores {
  const noting = (folder: string, store: FileStore): FileStore => {
    const noteName = (name: string): void => note(join(folder, name.slice(0, 2), name));
    return {
      ...store,
      async put(content) {
        const name = await store.put(content);
        noteName(name);
        return name;
      },
      async receive(source, limits) {
        const received = await store.receive(source, limits);
        noteName(received.name);
        return received;
      },
    };
  };
  return { ...stores, files: noting("files", stores.files), avatars: noting("avatars", stores.avatars) };
}

/** Paths of all tracked files, relative to the data folder. */
export async function* listTracked(dataDirectory: string, hasUploads: boolean): AsyncGenerator<string> {
  const root = join(dataDirectory, "repositories");
  for (const shard of await namesIn(root, /^[0-9a-f]{2}$/))
    for (const name of await namesIn(join(root, shard), /^\d+\.git$/))
      for (const path of await listStore(join(root, shard, name))) yield relative(dataDirectory, path);
  if (!hasUploads) return;
  for (const folder of ["files", "avatars"]) for await (const { path } of listDiskFiles(join(dataDirectory, folder))) yield relative(dataDirectory, path);
}

/** The packs and loose objects of a store. A pack that replaces others is written before they are deleted, so packs are listed last. */
export async function listStore(storePath: string): Promise<string[]> {
  const objects = join(storePath, "objects");
  const loose: string[] = [];
  for (const shard of await namesIn(objects, /^[0-9a-f]{2}$/))
    for (const name of await namesIn(join(objects, shard), /^[0-9a-f]{38,62}$/)) loose.push(join(objects, shard, name));
  const packs = listPacks(join(objects, "pack")).flatMap((name) => packEndings.map((ending) => join(objects, "pack", name + ending)));
  return [...loose, ...packs];
}

/** The folder of the store that a path is in; undefined for an uploaded file. */
export const storePathOf = (path: string): string | undefined => /^repositories\/[0-9a-f]{2}\/\d+\.git/.exec(path)?.[0];

/** Whether a path from a bucket is one of a tracked file: no other one is written. */
export const isTrackedPath = (path: string): boolean =>
  /^repositories\/[0-9a-f]{2}\/[1-9]\d*\.git\/objects\/(pack\/pack-[0-9a-f]{40,64}\.(pack|idx)|[0-9a-f]{2}\/[0-9a-f]{38,62})$/.test(path) ||
  /^(files|avatars)\/[0-9a-f]{2}\/[0-9a-f]{64}(-[0-9a-f]{16})?$/.test(path);

async function namesIn(path: string, pattern: RegExp): Promise<string[]> {
  try {
    return (await readdir(path)).filter((name) => pattern.test(name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
