import { closeSync, openSync, readSync } from "node:fs";
import { frameHeaderBytes, headerBytes, isSameMark, type LogMark, logPath, pageSizeOffset, readSalts } from "./sqlite-log.ts";

/** Receives the durable transactions of an embedded database, to copy them to another place. Its functions are synchronous and never throw. */
export interface LogFollower {
  /** The database is open. Called again after a repair, which has copied the log into the database. */
  opened(database: FollowedDatabase): void;
  /** Everything before the mark is durable. Changes between two marks are acknowledged after the call for the second one. */
  durable(mark: LogMark): void;
  /** Whether the log up to the mark may be copied into the database, after which the next transaction overwrites it. */
  mayRestart(mark: LogMark): boolean;
}

export interface FollowedDatabase {
  /** Path of the file. */
  readonly path: string;
  /**
   * Copies the log into the database while no transaction is running.
   * @param copied called in that state, with the mark whose content the file has
   * @returns false if the follower did not allow it, or another process reads an older state
   */
  checkpoint(copied: (mark: LogMark) => void): Promise<boolean>;
  /** Makes changes of other processes durable, and passes them on. @throws ForgeError `unavailable` */
  look(): Promise<void>;
  /** Reads the file. Opening it elsewhere would drop SQLite's locks. @returns the number of bytes; fewer at the end of the file */
  readFile(into: Buffer, position: number): number;
}

/** The changes between two marks. */
export interface LogGroup {
  /** When they were durable, before they were acknowledged. */
  readonly timeMs: number;
  /** Size of the database afterwards. */
  readonly databasePages: number;
  /** New contents of pages by their number, from 1. */
  readonly pages: ReadonlyMap<number, Buffer>;
}

export interface TimedMark extends LogMark {
  readonly timeMs: number;
}

/** The part of the log that was needed is gone: a new copy of the database is necessary. */
export class LogLostError extends Error {
  override readonly name = "LogLostError";
}

/** Reads a log from one mark on. */
export interface LogReader {
  add(mark: TimedMark): void;
  /** Bytes between the last read group and the last added mark. */
  unreadBytes(): number;
  /** Time of the oldest group that was not read; undefined if there is none. */
  oldestMs(): number | undefined;
  /** Reads groups until they have this many bytes. @throws LogLostError */
  read(maxBytes: number): readonly LogGroup[];
}

/** @param start the state from which the groups continue. If the database has all of it, the log may be restarted after it */
export function createLogReader(databasePath: string, start: LogMark, marks: readonly TimedMark[] = []): LogReader {
  const unread = [...marks];
  let position = start;
  let frameBytes = frameHeaderBytes + 4_096;

  const framesOf = (mark: LogMark): number => (mark.salts === position.salts ? mark.frames - position.frames : mark.frames);
  return {
    add: (mark) => void unread.push(mark),
    unreadBytes: () => (unread.length === 0 ? 0 : framesOf(unread.at(-1) ?? position) * frameBytes),
    oldestMs: () => unread[0]?.timeMs,
    read(maxBytes) {
      const groups: LogGroup[] = [];
      if (unread.length === 0) return groups;
      const file = openLog(databasePath);
      try {
        for (let bytes = 0; bytes < maxBytes; ) {
          const [mark] = unread;
          if (mark === undefined) break;
          if (!isSameMark(mark, position)) {
            const from = mark.salts === position.salts ? position.frames : 0;
            const read = readFrames(file, mark, from);
            frameBytes = read.frameBytes;
            bytes += (mark.frames - from) * frameBytes;
            groups.push({ timeMs: mark.timeMs, databasePages: read.databasePages, pages: read.pages });
            position = mark;
          }
          unread.shift();
        }
      } finally {
        closeSync(file);
      }
      return groups;
    },
  };
}

function openLog(databasePath: string): number {
  try {
    return openSync(logPath(databasePath), "r");
  } catch (error) {
    throw new LogLostError("the log cannot be read", { cause: error });
  }
}

/** Reads the frames after `from`, up to the mark. The last version of each page counts. */
function readFrames(file: number, mark: LogMark, from: number): { readonly databasePages: number; readonly pages: Map<number, Buffer>; frameBytes: number } {
  const header = Buffer.alloc(headerBytes);
  const isComplete = readSync(file, header, 0, headerBytes, 0) === headerBytes;
  if (!isComplete || readSalts(file) !== mark.salts) throw new LogLostError("the log was restarted before it was read");
  const pageBytes = header.readUInt32BE(pageSizeOffset);
  const frameBytes = frameHeaderBytes + pageBytes;
  const pages = new Map<number, Buffer>();
  let databasePages = 0;
  const frames = Buffer.allocUnsafeSlow(Math.min(mark.frames - from, framesAtOnce) * frameBytes);
  for (let at = from; at < mark.frames; ) {
    const count = Math.min(framesAtOnce, mark.frames - at);
    const bytes = count * frameBytes;
    if (readSync(file, frames, 0, bytes, headerBytes + at * frameBytes) !== bytes) throw new LogLostError("the log is shorter than its mark");
    for (let offset = 0; offset < bytes; offset += frameBytes) {
      if (frames.toString("hex", offset + 8, offset + 16) !== mark.salts) throw new LogLostError("a frame of the log is not of this log");
      databasePages = frames.readUInt32BE(offset + 4);
      pages.set(frames.readUInt32BE(offset), Buffer.from(frames.subarray(offset + frameHeaderBytes, offset + frameBytes)));
    }
    at += count;
  }
  if (databasePages === 0) throw new LogLostError("the log does not end with a commit at its mark");
  return { databasePages, pages, frameBytes };
}

const framesAtOnce = 256;
