import { opendir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type Config, ConfigError } from "../../config/config.ts";
import { parseStorageUrl } from "../../config/storage-url.ts";
import { isMissing, onStorage, replaceFile } from "../../git/objects/durable-fs.ts";
import { openS3Client } from "../../storage/s3-client.ts";
import { makeFolderDurably } from "../data-directory.ts";

export interface PlacedObject {
  readonly key: string;
  readonly sizeBytes: number;
  /** By the clock of the place. */
  readonly writtenMs: number;
}

/** Where backups are stored by content: a bucket or a folder. */
export interface BackupPlace {
  readonly url: string;
  /** Durable when it resolves. */
  put(key: string, content: Uint8Array): Promise<void>;
  get(key: string): Promise<Buffer | undefined>;
  delete(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<PlacedObject>;
}

/** Whether a text names a place, and not the folder of a single backup. */
export const isPlaceUrl = (text: string): boolean => /^(s3(\+http)?|file):\/\//.test(text);

/** @throws ConfigError for an invalid URL, or a bucket without a key */
export function openPlace(url: string, { backup, storage }: Pick<Config, "backup" | "storage">): BackupPlace {
  if (url.startsWith("file://")) return openFolder(url);
  const location = parseStorageUrl(url);
  if (location === undefined)
    throw new ConfigError(`${url} is not an address of backups: it must have the form s3://host/bucket/prefix?region=eu-central-1 or file:///folder`);
  const accessKey = backup.access_key === "" ? storage.access_key : backup.access_key;
  const secretKey = backup.secret_key === "" ? storage.secret_key : backup.secret_key;
  if (accessKey === "" || secretKey === "")
    throw new ConfigError("the bucket of the backups requires a key: set HEARTH_BACKUP_ACCESS_KEY and HEARTH_BACKUP_SECRET_KEY");
  const client = openS3Client(location, { accessKey, secretKey });
  const { prefix } = location;
  return {
    url,
    put: (key, content) => client.put(prefix + key, content),
    async get(key) {
      const found = await client.get(prefix + key);
      return found && (await buffer(found.content));
    },
    delete: (key) => client.delete(prefix + key),
    async *list(wanted) {
      for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
        const { objects, next } = await client.list(prefix + wanted, after);
        for (const object of objects) yield { ...object, key: object.key.slice(prefix.length) };
        after = next;
      }
    },
  };
}

function openFolder(url: string): BackupPlace {
  let root: string;
  try {
    root = fileURLToPath(url);
  } catch (error) {
    throw new ConfigError(`${url} is not a folder of this machine: it must have the form file:///folder`, { cause: error });
  }
  return {
    url,
    put: (key, content) =>
      onStorage(async () => {
        makeFolderDurably(dirname(join(root, key)));
        await replaceFile(join(root, key), content);
      }),
    get: (key) => onStorage(() => unlessMissing(readFile(join(root, key)))),
    delete: (key) => onStorage(() => rm(join(root, key), { force: true })),
    async *list(prefix) {
      yield* listFolder(root, join(root, dirname(`${prefix}x`)));
    },
  };
}

async function* listFolder(root: string, folder: string): AsyncGenerator<PlacedObject> {
  const entries = await unlessMissing(opendir(folder));
  if (entries === undefined) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* listFolder(root, path);
    // Files of killed processes.
    else if (!entry.name.startsWith("tmp_")) {
      const found = await unlessMissing(stat(path));
      if (found !== undefined) yield { key: relative(root, path), sizeBytes: found.size, writtenMs: found.mtimeMs };
    }
  }
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
