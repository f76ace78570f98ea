import { constants } from "node:fs";
import { copyFile, type FileHandle, link, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isMissing, syncDirectory } from "../git/objects/durable-fs.ts";
import { makeFolderDurably } from "./data-directory.ts";

export interface CopiedTree {
  readonly files: number;
  readonly bytes: number;
  /** Files that were linked instead of copied; not part of `files` and `bytes`. */
  readonly linked: number;
  readonly linkedBytes: number;
  /** Files that were deleted after their folder had been listed. */
  readonly vanished: number;
}

export interface CopyTreeOptions {
  /** Leaves out a file or folder. @param path relative to the source, with `/` */
  readonly skips?: (path: string) => boolean;
  /** Selects files that are not copied again if the target already has them with the same size. */
  readonly skipsExisting?: (path: string) => boolean;
  /** An earlier copy on the same file system. Files that never change are linked to it if it has them with the same size. */
  readonly base?: { readonly folder: string; readonly isFixed: (path: string) => boolean } | undefined;
}

const filesAtOnce = 16;

/**
 * Copies a folder durably while others may change it. Folders are visited in alphabetical order, one after another. Copies only files and
 * folders: symbolic links are left out. A missing source counts as empty.
 */
export async function copyTree(source: string, target: string, options: CopyTreeOptions = {}): Promise<CopiedTree> {
  const copied = { files: 0, bytes: 0, linked: 0, linkedBytes: 0, vanished: 0 };
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

  async function linkToBase(path: string): Promise<number | undefined> {
    const { base } = options;
    return base?.isFixed(path) !== true ? undefined : await linkSame(join(source, path), join(base.folder, path), join(target, path));
  }

  async function copy(path: string): Promise<void> {
    try {
      const linkedBytes = await linkToBase(path);
      if (linkedBytes !== undefined) {
        copied.linked += 1;
        copied.linkedBytes += linkedBytes;
        return;
      }
      const bytes = await copyDurably(join(source, path), join(target, path), options.skipsExisting?.(path) === true);
      copied.files += 1;
      copied.bytes += bytes;
    } catch (error) {
      if (!isMissing(error)) throw error;
      copied.vanished += 1;
    }
  }
}

/** @returns the size; undefined if the file has to be copied: the source and the base differ, or the file system allows no further link */
async function linkSame(source: string, base: string, target: string): Promise<number | undefined> {
  const size = await sizeOf(base);
  await using from = await open(source);
  if (size === undefined || (await from.stat()).size !== size) return undefined;
  try {
    await link(base, target);
    return size;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return size;
    if (["EMLINK", "EPERM", "ENOTSUP"].includes(code)) return undefined;
    throw error;
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

/** Begins the names of files that are being copied. */
const partPrefix = "tmp_copy_";

/** Copies a file as a whole or not at all, and makes its content durable. @returns its size */
export async function copyDurably(source: string, target: string, skipsExisting = false): Promise<number> {
  await using from = await open(source);
  const { size } = await from.stat();
  if (skipsExisting && (await sizeOf(target)) === size) return size;
  const part = join(dirname(target), `${partPrefix}${basename(target)}`);
  // Shares the blocks where the file system can, so that a copy on the same disk takes no space.
  await copyFile(source, part, constants.COPYFILE_FICLONE);
  {
    await using to: FileHandle = await open(part);
    await to.sync();
  }
  await rename(part, target);
  return size;
}

/** Deletes what an interrupted copy has left of single files. */
export async function removeParts(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile() && entry.name.startsWith(partPrefix))) await rm(join(parentPath, name));
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
