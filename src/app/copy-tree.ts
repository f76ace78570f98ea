import { constants } from "node:fs";
import { copyFile, type FileHandle, mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, syncDirectory } from "../git/objects/durable-fs.ts";
import { makeFolderDurably } from "./data-directory.ts";

export interface CopiedTree {
  readonly files: number;
  readonly bytes: number;
  /** Files that were deleted after their folder had been listed. */
  readonly vanished: number;
}

export interface CopyTreeOptions {
  /** Leaves out a file or folder. @param path relative to the source, with `/` */
  readonly skips?: (path: string) => boolean;
  /** Files that the target already has with the same size are not copied again. */
  readonly skipsExisting?: boolean;
}

const filesAtOnce = 16;

/**
 * Copies a folder durably while others may change it. Folders are visited in alphabetical order, one after another. Copies only files and
 * folders: symbolic links are left out. A missing source counts as empty.
 */
export async function copyTree(source: string, target: string, options: CopyTreeOptions = {}): Promise<CopiedTree> {
  const copied = { files: 0, bytes: 0, vanished: 0 };
  await copyFolder("");
  return copied;

  async function copyFolder(path: string): Promise<void> {
    const entries = await listFolder(join(source, path));
    if (entries === undefined) {
      if (path !== "") copied.vanished += 1;
      return;
    }
    if (path === "") makeFolderDurably(target);
    else await mkdir(join(target, path), { recursive: true, mode: 0o700 });
    const kept = entries
      .map((entry) => ({ entry, below: path === "" ? entry.name : `${path}/${entry.name}` }))
      .filter(({ below }) => options.skips?.(below) !== true);
    const files = kept.filter(({ entry }) => entry.isFile());
    for (let at = 0; at < files.length; at += filesAtOnce) await Promise.all(files.slice(at, at + filesAtOnce).map(({ below }) => copy(below)));
    for (const { entry, below } of kept) if (entry.isDirectory()) await copyFolder(below);
    // After the folders in it: it holds their names.
    await syncDirectory(join(target, path));
  }

  async function copy(path: string): Promise<void> {
    try {
      const bytes = await copyDurably(join(source, path), join(target, path), options.skipsExisting === true);
      copied.files += 1;
      copied.bytes += bytes;
    } catch (error) {
      if (!isMissing(error)) throw error;
      copied.vanished += 1;
    }
  }
}

async function listFolder(path: string) {
  try {
    return (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Copies a file and makes its content durable. @returns its size */
export async function copyDurably(source: string, target: string, skipsExisting = false): Promise<number> {
  await using from = await open(source);
  const { size } = await from.stat();
  if (skipsExisting && (await sizeOf(target)) === size) return size;
  // Shares the blocks where the file system can, so that a copy on the same disk takes no space.
  await copyFile(source, target, constants.COPYFILE_FICLONE);
  await using to: FileHandle = await open(target);
  await to.sync();
  return size;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    await using file = await open(path);
    return (await file.stat()).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
