import { closeSync, openSync, read as readCallback, statSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { aborted } from "../../core/aborted.ts";
import { release } from "../../core/detach-buffer.ts";

/**
 * Bytes per read, into one buffer per reader: a new buffer for each chunk would make garbage collection process the size of every clone.
 * Each read is a thread pool turn; much larger reads would leave the CPU cache before they are sent.
 */
const readBytes = 512 * 1024;

/**
 * Names are looked up synchronously and contents are read on the thread pool: for a stat of a local file the thread pool costs more than
 * the call.
 */
const readFrom = promisify(readCallback);

/**
 * A response being written to a file. Any number of readers read it from its start, during the write and afterwards.
 * If the file must not grow further, each chunk goes to all readers before the next one is produced: no data is lost and none accumulates.
 */
export interface Spool {
  state(): "making" | "complete" | "failed";
  /** Bytes in the file. */
  storedBytes(): number;
  /** The response is larger than its file, so it can be neither joined nor kept. */
  overflowed(): boolean;
  readers(): number;
  /** All readers left before it was complete, so it will fail. */
  abandoned(): boolean;
  /**
   * Yields all data, then throws if the producer failed. The producer ends when its last reader leaves, or when its signal aborts.
   * A chunk is valid until the next read: its memory is then reused.
   */
  read(signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined>;
  /** Whether the file exists with all its bytes. */
  isIntact(): boolean;
  /** Ends the producer; deletes the file once it has no readers. */
  discard(): void;
  /** Ends the producer and its readers immediately. Resolves when it has ended. */
  stop(): Promise<void>;
  /** Settles when there are no more readers and the file is deleted; only after {@link discard}. */
  readonly gone: Promise<void>;
}

export interface SpoolOptions {
  readonly path: string;
  readonly make: (signal: AbortSignal) => AsyncIterable<Buffer>;
  /** Called before the file grows. If it returns false, the rest of the response bypasses the file. */
  readonly reserve: (growthBytes: number) => boolean;
  /** Returns reserved bytes: a chunk that was not written, or the whole file when its removal starts. */
  readonly release: (bytes: number) => void;
  /** Writing the file failed; the response continues without it. */
  readonly onWriteFailure: (error: unknown) => void;
  /** Called once, when the producer has ended. */
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

  /** Blocks the producer until every reader has received this chunk. */
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
      // The last write may be incomplete, so no further readers may join.
      overflowed = true;
      options.onWriteFailure(error);
    });
    // Not earlier: a reader that has finished can then find the response in the cache.
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
    let buffer: Buffer | undefined;
    try {
      while (true) {
        if (signal?.aborted) throw aborted(signal);
        if (reader.offset < storedBytes) {
          file ??= openSync(options.path, "r");
          buffer ??= Buffer.allocUnsafeSlow(state === "complete" ? Math.min(readBytes, storedBytes) : readBytes);
          const { bytesRead } = await readFrom(file, buffer, 0, Math.min(buffer.length, storedBytes - reader.offset), reader.offset);
          if (bytesRead === 0) throw new Error("a file of the pack cache was cut short");
          yield buffer.subarray(0, bytesRead);
          reader.offset += bytesRead;
        } else if (live !== undefined && reader.offset < live.offset + live.data.length) {
          const chunk = live;
          yield chunk.data.subarray(reader.offset - chunk.offset);
          reader.offset = chunk.offset + chunk.data.length;
          changed();
        } else if (state === "complete") {
          // The caller has finished with the last chunk. Released explicitly, because waiting buffers of many readers would trigger full
          // garbage collections.
          if (buffer !== undefined) release(buffer.buffer);
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
