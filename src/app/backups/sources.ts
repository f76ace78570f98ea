import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { isMissing } from "../../git/objects/durable-fs.ts";
import { openFileStores } from "../../storage/open.ts";
import { isFixedInStore, isTemporary, maxRounds, placeInBackup } from "../store-files.ts";
import { type FileRow, type KnownContents, listFolderFiles, listStoreFiles, type SourceFile, storeFile } from "./files.ts";
import type { ObjectWriter } from "./store.ts";

export interface FileSources {
  readonly config: Config;
  readonly objects: ObjectWriter;
  /** Contents of files that never change. */
  readonly known: KnownContents;
  /** Names of the packs in a bucket that several nodes share; undefined if the packs are in the data folder. */
  readonly packFiles: ReadonlySet<string> | undefined;
}

/**
 * Stores all files that the rows of a snapshot refer to, which was made before. Files are written before their rows, and stay for days after their
 * rows are deleted.
 */
export async function* storeAllFiles(sources: FileSources): AsyncGenerator<FileRow> {
  const { config, packFiles } = sources;
  const { dataDirectory } = config;
  const inData = (name: string): string => join(dataDirectory, name);
  yield* storeEach(sources, listFolderFiles(inData("adopt"), "adopt", { skips: isTemporary, isFixed: () => false }));
  const stores = openFileStores(config);
  for (const name of ["avatars", "files"] as const) {
    const local = { skips: (path: string) => isTemporary(path) || path === "incoming", isFixed: () => true };
    yield* storeEach(sources, config.storage.url === "" ? listFolderFiles(inData(name), name, local) : listStoreFiles(stores[name], name));
  }
  if (packFiles === undefined) yield* storeRepositories(sources, inData("repositories"));
  else if (stores.packFiles !== undefined) yield* storeEach(sources, listStoreFiles(stores.packFiles, "packs", packFiles));
  if (existsSync(inData("secret.key")))
    yield* storeEach(sources, listFolderFiles(dataDirectory, "", { skips: (path) => path !== "secret.key", isFixed: () => false }));
}

/** Files that were deleted meanwhile are left out. */
async function* storeEach({ objects, known }: FileSources, files: AsyncIterable<SourceFile>): AsyncGenerator<FileRow> {
  for await (const file of files) {
    const entry = await storeFile(file, objects, known);
    if (entry !== undefined) yield entry;
  }
}

/** Stores one after another. A store is read again if housekeeping replaced packs meanwhile: git writes a pack before it deletes the replaced ones. */
async function* storeRepositories(sources: FileSources, root: string): AsyncGenerator<FileRow> {
  for (const shard of await namesIn(root, /^[0-9a-f]{2}$/))
    for (const name of await namesIn(join(root, shard), /^\d+\.git$/)) {
      const prefix = `repositories/${shard}/${name}`;
      for (let round = 1; ; round += 1) {
        const entries: FileRow[] = [];
        let vanished = 0;
        for await (const file of listFolderFiles(join(root, shard, name), prefix, { skips: isTemporary, isFixed: isFixedInStore, placeOf: placeInBackup })) {
          const entry = await storeFile(file, sources.objects, sources.known);
          if (entry === undefined) vanished += 1;
          else entries.push(entry);
        }
        if (vanished > 0 && round < maxRounds) continue;
        yield* entries;
        break;
      }
    }
}

async function namesIn(path: string, pattern: RegExp): Promise<string[]> {
  try {
    return (await readdir(path)).filter((name) => pattern.test(name)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
