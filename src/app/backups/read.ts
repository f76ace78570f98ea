import { mkdir, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Config } from "../../config/config.ts";
import { unavailable } from "../../core/errors.ts";
import type { CopiedRow } from "../../db/row-source.ts";
import { isMissing, openNewFile, removeQuietly, syncDirectory } from "../../git/objects/durable-fs.ts";
import type { RestoreOptions, RestoreSource } from "../restore-source.ts";
import { isFixedInStore } from "../store-files.ts";
import type { BackupContents } from "./contents.ts";
import { contentOf, sizeOfFile } from "./files.ts";
import { openPlace } from "./place.ts";
import { readRows, sourceOf } from "./rows.ts";
import { findBackup, type ObjectReader, openObjectReader, type PlacedBackup } from "./store.ts";
import { createUnsealer, damaged, readIdentities } from "./vault.ts";

/** The newest backup of a place, or one by its name. @throws ConfigError, ForgeError `unavailable` */
export async function openPlacedBackup(
  config: Pick<Config, "backup" | "storage">,
  url: string,
  { backup: name, identity }: RestoreOptions,
): Promise<RestoreSource & { readonly backup: PlacedBackup; readonly contents: BackupContents }> {
  const place = openPlace(url, config);
  const backup = await findBackup(place, name);
  const objects = openObjectReader(place, await createUnsealer(backup.recipients, identity === undefined ? [] : readIdentities(identity)));
  const root = await objects.read(backup.root);
  const contents = readContents(root, backup.root);
  objects.useNameKey(contents.nameKey ?? undefined);
  objects.require(backup.root, root);
  return {
    id: `${url} ${backup.name}`,
    created: backup.created,
    keyId: contents.keyId ?? undefined,
    hasUploads: true,
    backup,
    contents,
    copyFiles: (dataDirectory, restoring) => copyFiles(contents, objects, (path) => join(path.startsWith("packs/") ? restoring : dataDirectory, path)),
    async loadDatabase(_target, load) {
      await load(sourceOf(contents, objects));
    },
    async [Symbol.asyncDispose]() {},
  };
}

function readContents(content: Buffer, name: string): BackupContents {
  try {
    return JSON.parse(content.toString("utf8")) as BackupContents;
  } catch (error) {
    throw damaged(name, error);
  }
}

const filesAtOnce = 8;
/** No other path reaches the disk. */
const isAllowed = (path: string): boolean =>
  path === "secret.key" ||
  (/^(adopt|avatars|files|packs|repositories)\/./.test(path) && !path.split("/").some((part) => part === "" || part === "." || part === ".."));
const neverChanges = (path: string): boolean => /^(avatars|files|packs)\//.test(path) || isFixedInStore(path);

async function copyFiles({ files }: BackupContents, objects: ObjectReader, placeOf: (path: string) => string): Promise<number> {
  const folders = new Set<string>();
  const queue = readRows(files, objects);
  let count = 0;
  for await (const page of queue) {
    const rows = [...page];
    const next = async (): Promise<void> => {
      for (let row = rows.pop(); row !== undefined; row = rows.pop()) {
        const path = String(row[0]);
        if (!isAllowed(path)) throw unavailable(`the backup contains a file with the path ${JSON.stringify(path)}, which no backup of Hearth has`);
        await copyFile(row, placeOf(path), objects, folders);
        count += 1;
      }
    };
    const outcomes = await Promise.allSettled(Array.from({ length: filesAtOnce }, next));
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure !== undefined) throw failure.reason;
  }
  for (const folder of folders) await syncDirectory(folder);
  return count;
}

/** Writes a file as a whole or not at all. */
async function copyFile(row: CopiedRow, target: string, objects: ObjectReader, folders: Set<string>): Promise<void> {
  const [path, sizeBytes] = [String(row[0]), Number(row[1])];
  if (neverChanges(path) && (await sizeOfFile(target)) === sizeBytes) return;
  await makeFolders(dirname(target), folders);
  const part = join(dirname(target), `tmp_copy_${basename(target)}`);
  // An interrupted restore has left it.
  removeQuietly(part);
  const file = openNewFile(part, 0o600);
  try {
    for await (const chunk of contentOf(row, objects.read)) await file.write(chunk);
    await file.sync();
  } finally {
    file.close();
  }
  await rename(part, target);
}

/** Each folder and its parents are synced at the end. */
async function makeFolders(path: string, folders: Set<string>): Promise<void> {
  if (folders.has(path)) return;
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (isMissing(error)) {
      await makeFolders(dirname(path), folders);
      return makeFolders(path, folders);
    }
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  folders.add(path);
  folders.add(dirname(path));
}
