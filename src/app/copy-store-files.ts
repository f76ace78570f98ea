import { link, mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing, openNewFile, removeQuietly, syncDirectory } from "../git/objects/durable-fs.ts";
import type { FileStore } from "../storage/files.ts";
import { sizeOfFile } from "./backups/files.ts";
import type { CopiedTree } from "./copy-tree.ts";

export interface CopyStoreOptions {
  /** All files if undefined. */
  readonly wanted?: ReadonlySet<string> | undefined;
  /** An earlier copy on the same file system, whose files are linked. */
  readonly base?: string | undefined;
}

/** Copies the files of a bucket into a folder, with the paths that they have in a data folder. Files that are there with their size are kept. */
export async function copyStoreFiles(files: FileStore, target: string, { wanted, base }: CopyStoreOptions): Promise<Omit<CopiedTree, "vanished">> {
  const copied = { files: 0, bytes: 0, linked: 0, linkedBytes: 0 };
  const folders = new Set<string>();
  for await (const { name, sizeBytes } of files.list()) {
    if (wanted?.has(name) === false) continue;
    const path = join(target, name.slice(0, 2), name);
    if (!folders.has(dirname(path))) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    folders.add(dirname(path));
    if ((await sizeOfFile(path)) === sizeBytes) copied.files += 1;
    else if (base !== undefined && (await linkTo(join(base, name.slice(0, 2), name), path, sizeBytes))) {
      copied.linked += 1;
      copied.linkedBytes += sizeBytes;
      continue;
    } else {
      await download(files, name, path);
      copied.files += 1;
    }
    copied.bytes += sizeBytes;
  }
  for (const folder of folders) await syncDirectory(folder);
  if (folders.size > 0) await syncDirectory(target);
  return copied;
}

async function linkTo(earlier: string, path: string, sizeBytes: number): Promise<boolean> {
  if ((await sizeOfFile(earlier)) !== sizeBytes) return false;
  try {
    await link(earlier, path);
    return true;
  } catch (error) {
    if (isMissing(error) || ["EMLINK", "EPERM", "ENOTSUP"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

async function download(files: FileStore, name: string, path: string): Promise<void> {
  const part = join(dirname(path), `tmp_copy_${name}`);
  // An interrupted backup has left it.
  removeQuietly(part);
  const file = openNewFile(part, 0o600);
  try {
    for await (const chunk of files.read(name)) await file.write(chunk);
    await file.sync();
  } finally {
    file.close();
  }
  await rename(part, path);
}
