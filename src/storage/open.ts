import { join } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import { parseStorageUrl } from "../config/storage-url.ts";
import { isForgeError } from "../core/errors.ts";
import { listDiskFiles, openDiskFiles, requireContent } from "./disk.ts";
import { type FileStore, newName } from "./files.ts";
import { openS3Files, sendFile } from "./s3.ts";
import { bucketMissing, isRefusal, openS3Client } from "./s3-client.ts";

/** All uploads outside git. */
export interface FileStores {
  /** Avatars of users, organizations and repositories. */
  readonly avatars: FileStore;
  /** Attachments of issues, comments and releases, and LFS objects. */
  readonly files: FileStore;
  /** The packs of repositories, if the storage is a service that several nodes can share. */
  readonly packFiles: FileStore | undefined;
}

/** Opens the configured storage: the data folder or an S3-compatible service. @throws ConfigError for a service without a key */
export function openFileStores({ dataDirectory, storage }: Pick<Config, "dataDirectory" | "storage">): FileStores {
  const location = parseStorageUrl(storage.url);
  if (location === undefined) return { ...storesOf((folder) => openDiskFiles(join(dataDirectory, folder))), packFiles: undefined };
  if (storage.access_key === "" || storage.secret_key === "")
    throw new ConfigError("HEARTH_STORAGE_URL: the service requires a key: set HEARTH_STORAGE_ACCESS_KEY and HEARTH_STORAGE_SECRET_KEY");
  const client = openS3Client(location, { accessKey: storage.access_key, secretKey: storage.secret_key });
  const open = (folder: string): FileStore => openS3Files(client, { prefix: `${location.prefix}${folder}/`, localFolder: join(dataDirectory, folder) });
  return { ...storesOf(open), packFiles: open("packs") };
}

const storesOf = (open: (folder: string) => FileStore): Omit<FileStores, "packFiles"> => ({ avatars: open("avatars"), files: open("files") });

/**
 * Copies the uploaded files of the data folder into the configured service, under the same names. Files that are there with their size are
 * left, so an interrupted call can be repeated.
 * @param folders with the names of the prefixes in the service
 * @returns the number of copied files
 * @throws Error for a file whose content is not that of its name; ForgeError `unavailable`
 */
export async function copyFilesToService(
  { dataDirectory, storage }: Pick<Config, "dataDirectory" | "storage">,
  folders: readonly string[] = ["avatars", "files"],
): Promise<number> {
  const location = parseStorageUrl(storage.url);
  if (location === undefined) return 0;
  const client = openS3Client(location, { accessKey: storage.access_key, secretKey: storage.secret_key });
  let copied = 0;
  for (const folder of folders)
    for await (const { name, path, sizeBytes } of listDiskFiles(join(dataDirectory, folder))) {
      const key = `${location.prefix}${folder}/${name}`;
      if ((await client.sizeOf(key)) === sizeBytes) continue;
      await requireContent(name, path);
      await sendFile(client, key, path, sizeBytes);
      copied += 1;
    }
  return copied;
}

/** Checks that the storage exists and accepts the key, by asking for a nonexistent file. @throws ForgeError `unavailable` */
export async function probeFiles({ files }: Pick<FileStores, "files">): Promise<void> {
  await files.sizeOf("0".repeat(64));
}

/**
 * Tries everything that the server does in a bucket, with a small file that is deleted again.
 * @returns one line with the operations that are refused, or that the service does not answer
 */
export async function findDenied({ files }: Pick<FileStores, "files">): Promise<string | undefined> {
  let name = newName();
  const attempts: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["write", async () => (name = await files.put(Buffer.from("A check of permissions.\n")))],
    ["read", () => files.get(name)],
    ["list", () => files.list()[Symbol.asyncIterator]().next()],
    ["delete", () => files.delete(name)],
  ];
  const refused: string[] = [];
  for (const [operation, tryIt] of attempts) {
    try {
      await tryIt();
    } catch (error) {
      if (isForgeError(error, "unavailable") && error.message === bucketMissing)
        return `${bucketMissing}: create it, or correct HEARTH_STORAGE_URL; uploads and downloads fail until then`;
      if (!isRefusal(error)) return "the file storage cannot be reached: uploads and downloads fail until it is available";
      refused.push(operation);
    }
  }
  if (refused.length === 0) return undefined;
  const list = refused.length === attempts.length ? "the key" : `to ${refused.join(", ")} objects`;
  return `the file storage refuses ${list}: check HEARTH_STORAGE_ACCESS_KEY, HEARTH_STORAGE_SECRET_KEY and the permissions of the key`;
}
