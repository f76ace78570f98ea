import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * The write-ahead log of a SQLite database, seen as a file (https://www.sqlite.org/fileformat2.html#walformat).
 * Only this file is opened here, never the database or its `-shm`: closing any descriptor of those would drop
 * the locks that SQLite holds on them in this process.
 */

/** A place in the log: everything before it is what had been committed then. */
export interface LogMark {
  /** Both salts of the header; they change when the log starts over, which it does after a complete checkpoint only. */
  readonly salts: string;
  readonly frames: number;
}

export const logStart: LogMark = { salts: "", frames: 0 };

export const isSameMark = (a: LogMark, b: LogMark): boolean => a.frames === b.frames && a.salts === b.salts;

const headerBytes = 32;
const frameHeaderBytes = 24;
const saltsOffset = 16;
const pageSizeOffset = 8;

export const logPath = (databasePath: string): string => `${databasePath}-wal`;
const cutPath = (databasePath: string): string => `${databasePath}-wal-cut`;

/** @param fd of the log */
export function readSalts(fd: number): string {
  const header = Buffer.alloc(headerBytes);
  return readSync(fd, header, 0, headerBytes, 0) < headerBytes ? "" : header.toString("hex", saltsOffset, saltsOffset + 8);
}

/**
 * Writes the log up to `mark` into a new file and makes it durable: fresh pages, because those of the log itself cannot be trusted
 * to reach the disk any more once a sync has failed (Linux drops the dirty mark of pages that it could not write).
 * The log itself is left as it is.
 */
export async function writeCutLog(databasePath: string, mark: LogMark): Promise<void> {
  const source = openSync(logPath(databasePath), "r");
  let target: FileHandle | undefined;
  try {
    target = await open(cutPath(databasePath), "w", 0o600);
    const length = cutLength(source, mark);
    const buffer = Buffer.allocUnsafe(1 << 20);
    for (let offset = 0; offset < length; ) {
      const count = readSync(source, buffer, 0, Math.min(buffer.length, length - offset), offset);
      if (count === 0) throw new Error(`the log ends at ${offset}, before byte ${length}`);
      await target.writeFile(buffer.subarray(0, count));
      offset += count;
    }
    await target.sync();
  } finally {
    closeSync(source);
    await target?.close();
  }
}

/** Bytes of the log that `mark` covers. None when the log has started over since: what it held before is in the database then. */
function cutLength(source: number, mark: LogMark): number {
  const header = Buffer.alloc(headerBytes);
  const isComplete = fstatSync(source).size >= headerBytes && readSync(source, header, 0, headerBytes, 0) === headerBytes;
  if (!isComplete || mark.frames === 0 || readSalts(source) !== mark.salts) return 0;
  return headerBytes + mark.frames * (frameHeaderBytes + header.readUInt32BE(pageSizeOffset));
}

/**
 * Puts the file of {@link writeCutLog} in the place of the log. No connection may be open. The next one recovers from it:
 * the database is then as it was at the mark.
 */
export function installCutLog(databasePath: string): void {
  renameSync(cutPath(databasePath), logPath(databasePath));
  rmSync(`${databasePath}-shm`, { force: true });
}

/** Removes what a process that was killed in between has left. */
export const removeCutLog = (databasePath: string): void => rmSync(cutPath(databasePath), { force: true });

/** Makes the names in the database's folder durable. */
export async function syncFolder(databasePath: string): Promise<void> {
  const folder = await open(dirname(databasePath), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
