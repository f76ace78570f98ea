import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fdatasync, fsync, mkdirSync, openSync, renameSync, rmSync, write, writeSync } from "node:fs";
import { constants } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { type ForgeError, isForgeError, unavailable } from "../../core/errors.ts";

/**
 * Files and directories that are there after a power cut: contents, then name, then the directory that holds the name.
 *
 * Names and small contents are written by a system call right here: that takes microseconds, and a way over the thread pool takes many times
 * as much of this process. What waits for the disk, syncing and writing much, goes to the thread pool.
 */

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

const syncAll = promisify(fsync);
const syncData = promisify(fdatasync);
const writeSome = promisify(write);

/** More than this is written by the thread pool. */
const smallBytes = 64 * 1024;

/** Makes the names in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = openSync(path, "r");
  try {
    await syncAll(directory);
  } finally {
    closeSync(directory);
  }
}

/** A directory that is there durably; parents are made as needed. */
export async function ensureDirectory(path: string): Promise<void> {
  if (existsSync(path)) return;
  try {
    mkdirSync(path);
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

/** A file that nobody reads yet. */
export interface NewFile {
  write(content: string | Uint8Array): Promise<void>;
  /** Makes the content durable; with `data` alone a later look at the file's times may see them older. */
  sync(what?: "all" | "data"): Promise<void>;
  close(): void;
}

/** Makes a file. Throws EEXIST where one is. */
export function openNewFile(path: string, mode = 0o644): NewFile {
  const file = openSync(path, "wx", mode);
  return {
    async write(content) {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      for (let at = 0; at < bytes.length; ) {
        const rest = bytes.length - at;
        at += rest <= smallBytes ? writeSync(file, bytes, at, rest) : (await writeSome(file, bytes, at, rest)).bytesWritten;
      }
    },
    sync: (what = "all") => (what === "all" ? syncAll(file) : syncData(file)),
    close: () => closeSync(file),
  };
}

async function writeAndSync(file: NewFile, content: string | Uint8Array): Promise<void> {
  try {
    await file.write(content);
    await file.sync();
  } finally {
    file.close();
  }
}

/** Replaces a file in one step: readers see the old or the new content, also after a crash. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  await replaceFiles(dirname(path), [{ name: basename(path), content }]);
}

/** Replaces files of a directory, each as {@link replaceFile} does, one after another. */
export async function replaceFiles(directory: string, files: readonly { readonly name: string; readonly content: string | Uint8Array }[]): Promise<void> {
  if (files.length === 0) return;
  for (const { name, content } of files) {
    const temporary = join(directory, temporaryName("tmp_"));
    try {
      await writeAndSync(openNewFile(temporary), content);
      renameSync(temporary, join(directory, name));
    } catch (error) {
      removeQuietly(temporary);
      throw error;
    }
  }
  await syncDirectory(directory);
}

/** Writes a new file and syncs its content; its name is durable only after the directory's sync. */
export async function createFile(path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  await writeAndSync(openNewFile(path, mode), content);
}

/** Waits for all before it fails, so that nothing is written after the caller was told. */
export async function settleAll<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/** Removes what a failure left. What cannot be removed either is swept later. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The failure itself is what is told.
  }
}
