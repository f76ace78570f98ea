import { closeSync, openSync, read as readCallback, statSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { release } from "../../core/detach-buffer.ts";
import { aborted } from "../run/limiter.ts";

/**
 * How much of a file is read at once, into the one buffer that each reader has: a new one for each piece would have the memory of every clone collected.
 * Each read is a turn of the thread pool; much more at once would leave the processor's cache before it is sent.
 */
const readBytes = 512 * 1024;

/** Names are looked up right here, contents are read on the thread pool: the way there costs more than a look at a file of one's own. */
const readFrom = promisify(readCallback);

/**
 * One answer on its way into a file, read from its start by any number of readers while it grows and afterwards.
 * When the file may not grow further, each piece is handed to all readers before the next one is made: nothing is lost, nothing piles up.
 */
export interface Spool {
  state(): "making" | "complete" | "failed";
  /** Bytes in the file. */
  storedBytes(): number;
  /** The answer is larger than its file, so it cannot be joined or kept. */
  overflowed(): boolean;
  readers(): number;
  /** All readers left while it was being made, so it will fail. */
  abandoned(): boolean;
  /**
   * Everything that was made, then the failure of the making if it failed. Making ends when its last reader leaves it, by its signal or by itself.
   * A piece is good until the next one is asked for: then its memory is used again.
   */
  read(signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined>;
  /** Whether the file is there with all its bytes. */
  isIntact(): boolean;
  /** Ends the making; removes the file once nobody reads it. */
  discard(): void;
  /** Ends the making at once, for its readers too. Resolves when it has ended. */
  stop(): Promise<void>;
  /** Settles when it is read no more and its file is removed; only after {@link discard}. */
  readonly gone: Promise<void>;
}

export interface SpoolOptions {
  readonly path: string;
  readonly make: (signal: AbortSignal) => AsyncIterable<Buffer>;
  /** Asked before the file grows: false lets the answer pass it by from here on. */
  readonly reserve: (growthBytes: number) => boolean;
  /** Gives back what was reserved: a piece that was not written, or the whole file as its removal starts. */
  readonly release: (bytes: number) => void;
  /** The file could not be written; the answer goes on without it. */
  readonly onWriteFailure: (error: unknown) => void;
  /** Called once, when the making has ended. */
  readonly onSettled: () => void;
}

export function createSpool(options: SpoolOptions): Spool {
  const abort = new AbortController();
  const readers = new Set<{ offset: number }>();
  let waiting: (() => void)[] = [];
  let state: ReturnType<Spool["state"]> = "making";
  let failure: unknown;
  let storedBytes = 0;
  let live: { offset: number; data: Buffer } | undefined;
  let overflowed = false;
  let discarded = false;
  let writer: FileHandle | undefined;
  const gone = Promise.withResolvers<void>();
  let removal: Promise<void> | undefined;

  function changed(): void {
    const wake = waiting;
    waiting = [];
    for (const call of wake) call();
  }

  const nextChange = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));

  async function store(chunk: Buffer): Promise<boolean> {
    if (!options.reserve(chunk.length)) return false;
    try {
      writer ??= await open(options.path, "wx", 0o600);
      for (let done = 0; done < chunk.length; ) {
        const { bytesWritten } = await writer.write(chunk, done, chunk.length - done, storedBytes + done);
        done += bytesWritten;
      }
    } catch (error) {
      options.release(chunk.length);
      options.onWriteFailure(error);
      return false;
    }
    storedBytes += chunk.length;
    return true;
  }

  /** Holds the making until every reader has taken this piece. */
  async function pass(chunk: Buffer): Promise<void> {
    const offset = live === undefined ? storedBytes : live.offset + live.data.length;
    live = { offset, data: chunk };
    changed();
    while (!abort.signal.aborted && [...readers].some((reader) => reader.offset < offset + chunk.length)) await nextChange();
  }

  async function produce(): Promise<void> {
    let failed = false;
    try {
      for await (const chunk of options.make(abort.signal)) {
        abort.signal.throwIfAborted();
        if (chunk.length === 0) continue;
        if (!overflowed) overflowed = !(await store(chunk));
        if (overflowed) await pass(chunk);
        changed();
      }
      abort.signal.throwIfAborted();
    } catch (error) {
      failure = error;
      failed = true;
    }
    await writer?.close().catch((error: unknown) => {
      // What was written last may not have arrived: nobody else is to read it.
      overflowed = true;
      options.onWriteFailure(error);
    });
    // Not before: whoever has read to the end finds it among what is kept.
    state = failed ? "failed" : "complete";
    options.onSettled();
    changed();
    removeUnused();
  }

  function removeUnused(): void {
    if (!discarded || state === "making" || readers.size > 0 || removal !== undefined) return;
    options.release(storedBytes);
    removal = rm(options.path, { force: true }).catch(options.onWriteFailure).then(gone.resolve);
  }

  async function* read(signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    const reader = { offset: 0 };
    readers.add(reader);
    signal?.addEventListener("abort", changed, { once: true });
    let file: number | undefined;
    let room: Buffer | undefined;
    try {
      while (true) {
        if (signal?.aborted) throw aborted(signal);
        if (reader.offset < storedBytes) {
          file ??= openSync(options.path, "r");
          room ??= Buffer.allocUnsafeSlow(state === "complete" ? Math.min(readBytes, storedBytes) : readBytes);
          const { bytesRead } = await readFrom(file, room, 0, Math.min(room.length, storedBytes - reader.offset), reader.offset);
          if (bytesRead === 0) throw new Error("a file of the pack cache was cut short");
          yield room.subarray(0, bytesRead);
          reader.offset += bytesRead;
        } else if (live !== undefined && reader.offset < live.offset + live.data.length) {
          const piece = live;
          yield piece.data.subarray(reader.offset - piece.offset);
          reader.offset = piece.offset + piece.data.length;
          changed();
        } else if (state === "complete") {
          // Who asks on has done with the last piece. Left to the collector, the rooms of a few dozen readers have it go through everything.
          if (room !== undefined) release(room.buffer);
          return;
        } else if (state === "failed") throw failure;
        else await nextChange();
      }
    } finally {
      signal?.removeEventListener("abort", changed);
      readers.delete(reader);
      if (readers.size === 0 && state === "making") abort.abort();
      changed();
      if (file !== undefined) closeSync(file);
      removeUnused();
    }
  }

  const produced = produce();
  return {
    state: () => state,
    storedBytes: () => storedBytes,
    overflowed: () => overflowed,
    readers: () => readers.size,
    abandoned: () => abort.signal.aborted,
    read,
    isIntact(): boolean {
      try {
        const stats = statSync(options.path, { throwIfNoEntry: false });
        return stats?.isFile() === true && stats.size === storedBytes;
      } catch {
        return false;
      }
    },
    discard(): void {
      if (discarded) return;
      discarded = true;
      if (readers.size === 0) abort.abort();
      changed();
      removeUnused();
    },
    stop(): Promise<void> {
      abort.abort();
      changed();
      return produced;
    },
    gone: gone.promise,
  };
}
