import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Reads the write-ahead log of a SQLite database as a file (https://www.sqlite.org/fileformat2.html#walformat).
 * Only this file is opened here, never the database or its `-shm`: closing any descriptor of those would drop SQLite's locks on them in
 * this process.
 */

/** A position in the log: everything before it was committed at that time. */
export interface LogMark {
  /** Both salts of the header; they change when the log is restarted, which happens only after a complete checkpoint. */
  readonly salts: string;
  readonly frames: number;
}

export const logStart: LogMark = { salts: "", frames: 0 };

export const isSameMark = (a: LogMark, b: LogMark): boolean => a.frames === b.frames && a.salts === b.salts;

export const headerBytes = 32;
export const frameHeaderBytes = 24;
const saltsOffset = 16;
export const pageSizeOffset = 8;

export const logPath = (databasePath: string): string => `${databasePath}-wal`;
const cutPath = (databasePath: string): string => `${databasePath}-wal-cut`;

/** @param fd of the log */
export function readSalts(fd: number): string {
  const header = Buffer.alloc(headerBytes);
  return readSync(fd, header, 0, headerBytes, 0) < headerBytes ? "" : header.toString("hex", saltsOffset, saltsOffset + 8);
}

/**
 * Copies the log up to `mark` into a new file and makes it durable. Fresh pages are needed, because those of the log itself may never reach
 * the disk after a failed sync (Linux drops the dirty mark of pages that it could not write).
 * The log itself is not changed.
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
      if (count === 0) throw new Error(`the log ends at byte ${offset}, before byte ${length}`);
      await target.writeFile(buffer.subarray(0, count));
      offset += count;
    }
    await target.sync();
  } finally {
    closeSync(source);
    await target?.close();
  }
}

/** Bytes of the log covered by `mark`. 0 if the log was restarted since: its former content is in the database then. */
function cutLength(source: number, mark: LogMark): number {
  const header = Buffer.alloc(headerBytes);
  const isComplete = fstatSync(source).size >= headerBytes && readSync(source, header, 0, headerBytes, 0) === headerBytes;
  if (!isComplete || mark.frames === 0 || readSalts(source) !== mark.salts) return 0;
  return headerBytes + mark.frames * (frameHeaderBytes + header.readUInt32BE(pageSizeOffset));
}

/**
 * Replaces the log by the file of {@link writeCutLog}. No connection may be open. The next connection recovers from it, which resets the
 * database to the mark.
 */
export function installCutLog(databasePath: string): void {
  renameSync(cutPath(databasePath), logPath(databasePath));
  rmSync(`${databasePath}-shm`, { force: true });
}

/** Removes the file left by a process that was killed in between. */
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
