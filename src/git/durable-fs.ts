import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { type ForgeError, isForgeError, unavailable } from "../core/errors.ts";

/** Files and directories that are there after a power cut: contents, then name, then the directory that holds the name. */

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the storage is full",
  EFBIG: "the storage is full",
  EROFS: "the storage is read-only",
  EACCES: "the storage cannot be written",
  EPERM: "the storage cannot be written",
  EIO: "the storage failed",
  EMFILE: "the server has too many open files",
  ENFILE: "the server has too many open files",
};

/** Folds what the file system throws; what is no file system error is returned as it is. */
export function storageError(error: unknown): unknown {
  if (isForgeError(error) || !(error instanceof Error) || !("code" in error) || !("syscall" in error)) return error;
  // Node has no name for a quota that is used up.
  const isOverQuota = "errno" in error && error.errno === -constants.errno.EDQUOT;
  return storageFailure(isOverQuota ? "the storage is full" : (reasons[String(error.code)] ?? "the storage failed"), error);
}

function storageFailure(message: string, cause: Error): ForgeError {
  return unavailable(message, { retryAfter: 30, cause, meta: { reason: "storage" } });
}

/** Runs work on the file system. @throws ForgeError `unavailable` for whatever the file system refuses */
export async function onStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageError(error);
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

export function alreadyExists(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EEXIST" || error.code === "ENOTEMPTY");
}

/** Makes the names in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** A directory that is there durably; parents are made as needed. */
export async function ensureDirectory(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (alreadyExists(error)) return;
    // Not for ENOTDIR: where a file stands no directory can be made.
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    await ensureDirectory(dirname(path));
    return ensureDirectory(path);
  }
  await syncDirectory(dirname(path));
}

export function temporaryName(prefix: string): string {
  return `${prefix}${randomBytes(9).toString("base64url")}`;
}

async function writeAndSync(file: FileHandle, content: string | Uint8Array): Promise<void> {
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Replaces a file in one step: readers see the old or the new content, also after a crash. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const directory = dirname(path);
  const temporary = join(directory, temporaryName("tmp_"));
  try {
    await writeAndSync(await open(temporary, "wx", 0o644), content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  await syncDirectory(directory);
}

/** Writes a new file and syncs its content; its name is durable only after the directory's sync. */
export async function createFile(path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  await writeAndSync(await open(path, "wx", mode), content);
}
