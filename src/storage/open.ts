import { join } from "node:path";
import { type Config, ConfigError } from "../config/config.ts";
import { parseStorageUrl } from "../config/storage-url.ts";
import { openDiskFiles } from "./disk.ts";
import type { FileStore } from "./files.ts";
import { openS3Files } from "./s3.ts";
import { openS3Client } from "./s3-client.ts";

/** Everything that people upload beside their commits. */
export interface FileStores {
  /** Pictures of users, organizations and repositories. */
  readonly avatars: FileStore;
  /** Files of issues, comments and releases, and large files of repositories. */
  readonly files: FileStore;
}

/** Where the settings say: in the data folder, or in an S3-compatible service. @throws ConfigError for a service without a key */
export function openFileStores({ dataDirectory, storage }: Pick<Config, "dataDirectory" | "storage">): FileStores {
  const location = parseStorageUrl(storage.url);
  if (location === undefined) return storesOf((folder) => openDiskFiles(join(dataDirectory, folder)));
  if (storage.access_key === "" || storage.secret_key === "")
    throw new ConfigError("HEARTH_STORAGE_URL: the service wants a key too: set HEARTH_STORAGE_ACCESS_KEY and HEARTH_STORAGE_SECRET_KEY");
  const client = openS3Client(location, { accessKey: storage.access_key, secretKey: storage.secret_key });
  return storesOf((folder) => openS3Files(client, { prefix: `${location.prefix}${folder}/`, localFolder: join(dataDirectory, folder) }));
}

const storesOf = (open: (folder: string) => FileStore): FileStores => ({ avatars: open("avatars"), files: open("files") });

/** Asks for a file that nobody has: whether the place is there and takes the key. @throws ForgeError `unavailable` */
export async function probeFiles({ files }: Pick<FileStores, "files">): Promise<void> {
  await files.sizeOf("0".repeat(64));
}
