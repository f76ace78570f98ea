import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fdatasync,
  fstatSync,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  write,
  writeSync,
  writev,
} from "node:fs";
import { constants } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { type ForgeError, isForgeError, unavailable } from "../../core/errors.ts";

/**
 * Files and directories that survive a power cut: the content is synced first, then the name, then the directory that holds the name.
 *
 * Names and small contents are written by a synchronous system call: that takes microseconds, and the thread pool costs many times as much
 * CPU.
 * Operations that wait for the disk (syncs and large writes) use the thread pool.
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

/** Converts file system errors to a ForgeError; other errors are returned unchanged. */
export function storageError(error: unknown): unknown {
  if (isForgeError(error) || !(error instanceof Error) || !("code" in error) || !("syscall" in error)) return error;
  // Node.js has no name for an exceeded quota.
  const isOverQuota = "errno" in error && error.errno === -constants.errno.EDQUOT;
  return storageFailure(isOverQuota ? "the storage is full" : (reasons[String(error.code)] ?? "the storage failed"), error);
}

function storageFailure(message: string, cause: Error): ForgeError {
  return unavailable(message, { retryAfter: 30, cause, meta: { reason: "storage" } });
}

/** Runs file system operations. @throws ForgeError `unavailable` for any file system error */
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
const writeVector = promisify(writev);

/** Larger contents are written by the thread pool. */
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

/** As {@link syncDirectory}, for the start of the program, when nothing else runs. */
export function syncDirectoryNow(path: string): void {
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Creates directories durably, with parents as needed. */
export interface DurableDirectories {
  ensure(path: string): Promise<void>;
}

/**
 * An existing directory counts as durable only after its name has been synced here: another caller may not have done so yet, and a killed
 * process never has.
 * @param base a durable directory, the parent of all others
 */
export function createDurableDirectories(base: string): DurableDirectories {
  const known = new Map<string, Promise<void>>();
  async function make(path: string): Promise<void> {
    const parent = dirname(path);
    if (parent !== base) await ensure(parent);
    try {
      mkdirSync(path);
    } catch (error) {
      if (!alreadyExists(error)) throw error;
    }
    await syncDirectory(parent);
  }
  async function ensure(path: string): Promise<void> {
    // Operators may have deleted it.
    if (!existsSync(path)) known.delete(path);
    const made = known.get(path) ?? make(path);
    known.set(path, made);
    try {
      await made;
    } catch (error) {
      if (known.get(path) === made) known.delete(path);
      throw error;
    }
  }
  return { ensure };
}

export function temporaryName(prefix: string): string {
  return `${prefix}${randomBytes(9).toString("base64url")}`;
}

/** The content of a file. Parts are written one after the other, without a copy of the whole. */
export type FileContent = string | Uint8Array | readonly Uint8Array[];

/** A file that is not visible to readers yet. */
export interface NewFile {
  write(content: FileContent): Promise<void>;
  /** Makes the content durable. With `data` alone the file's times may appear older later. */
  sync(what?: "all" | "data"): Promise<void>;
  close(): void;
}

/** Creates a file. Throws EEXIST if it exists. */
export function openNewFile(path: string, mode = 0o644): NewFile {
  const file = openSync(path, "wx", mode);
  return {
    async write(content) {
      if (isParts(content)) return writeParts(file, content);
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

const isParts = (content: FileContent): content is readonly Uint8Array[] => Array.isArray(content);

async function writeParts(file: number, parts: readonly Uint8Array[]): Promise<void> {
  for (let rest = parts.filter(({ length }) => length > 0); rest.length > 0; ) {
    let { bytesWritten } = await writeVector(file, rest);
    rest = rest.flatMap((part) => {
      const written = Math.min(bytesWritten, part.length);
      bytesWritten -= written;
      return written === part.length ? [] : [part.subarray(written)];
    });
  }
}

/** Whether a file has this content. It is compared part by part. Throws ENOENT if it does not exist. */
export function hasContent(path: string, parts: readonly Uint8Array[]): boolean {
  const file = openSync(path, "r");
  try {
    if (fstatSync(file).size !== parts.reduce((size, { length }) => size + length, 0)) return false;
    const present = Buffer.allocUnsafe(Math.max(...parts.map(({ length }) => length)));
    return parts.every((part) => {
      for (let at = 0; at < part.length; ) {
        const count = readSync(file, present, at, part.length - at, null);
        if (count === 0) return false;
        at += count;
      }
      return present.subarray(0, part.length).equals(part);
    });
  } finally {
    closeSync(file);
  }
}

async function writeAndSync(file: NewFile, content: FileContent): Promise<void> {
  try {
    await file.write(content);
    await file.sync();
  } finally {
    file.close();
  }
}

/** Replaces a file atomically: readers see the old or the new content, even after a crash. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  await replaceFiles(dirname(path), [{ name: basename(path), content }]);
}

/** Replaces files of a directory one by one, each as {@link replaceFile} does. */
export async function replaceFiles(directory: string, files: readonly { readonly name: string; readonly content: FileContent }[]): Promise<void> {
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

/** Writes a new file and syncs its content; the name is durable only after its directory is synced. */
export async function createFile(path: string, content: FileContent, mode = 0o644): Promise<void> {
  await writeAndSync(openNewFile(path, mode), content);
}

/** Waits for all promises before rejecting, so that no write happens after the caller sees the error. */
export async function settleAll<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/** Removes files after a failure. Files that cannot be removed are swept later. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The original error is reported.
  }
}
