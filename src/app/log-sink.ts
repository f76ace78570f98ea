import { fstatSync, writeSync, write as writeToFile } from "node:fs";

/** The end of the log: takes complete lines and writes them to a file descriptor without ever blocking the event loop or throwing. */
export interface LogSink {
  /** Buffers one line, or counts it as dropped when the buffer is full. */
  write(line: string): void;
  /** Starts to write the buffered lines. */
  flush(): void;
  /** Writes the buffered lines synchronously, up to the first error. Used when the process exits. */
  flushSync(): void;
  /** Waits until the buffered lines are written, at most {@link closeWithinMs} milliseconds. */
  close(): Promise<void>;
  /** Lines dropped since the start. */
  dropped(): number;
}

export interface LogSinkOptions {
  /** An open file descriptor. A pipe is only supported as standard error (2). */
  readonly fd: number;
  /** Called after a successful write with the number of lines dropped since the previous call. */
  readonly onDropped: (lines: number) => void;
}

/** Lines are collected for this time or size: one write for each request would cost more than the request itself. */
const flushMs = 500;
const flushLength = 8_192;
/** UTF-16 code units that wait for a slow or failing descriptor. Lines beyond it are dropped. */
const maxBufferedLength = 1_048_576;
const closeWithinMs = 1_000;

type WriteDone = (error: Error | null | undefined, written: number) => void;

/** A write that does not block: standard error is non-blocking when it is a pipe, and a file is written on a thread of the pool. */
function writerOf(fd: number): (bytes: Buffer, done: WriteDone) => void {
  const stats = fstatSync(fd);
  if (stats.isFIFO() || stats.isSocket()) return (bytes, done) => void process.stderr.write(bytes, (error) => done(error, bytes.length));
  return (bytes, done) => writeToFile(fd, bytes, done);
}

/**
 * Opens a sink. A write that fails (a full disk, a closed pipe) is tried again with every {@link flushMs} tick; meanwhile the buffer fills,
 * and lines that do not fit are dropped and counted.
 */
export function openLogSink({ fd, onDropped }: LogSinkOptions): LogSink {
  const writeBytes = writerOf(fd);
  // Without a listener, a failed write of Node.js itself or of this sink would end the process.
  if (fd === 2) process.stderr.on("error", () => {});
  let lines: string[] = [];
  let bufferedLength = 0;
  /** The bytes of the write that is under way or has failed. */
  let pending: Buffer | undefined;
  let isWriting = false;
  let isFailing = false;
  let dropped = 0;
  let unreported = 0;
  let onIdle = (): void => {};

  const takeBuffered = (): Buffer => {
    const bytes = Buffer.from(lines.join(""));
    lines = [];
    return bytes;
  };
  const writeNext = (): void => {
    if (isWriting) return;
    if (pending === undefined) {
      if (lines.length === 0) {
        onIdle();
        return;
      }
      pending = takeBuffered();
    }
    const { length } = pending;
    isWriting = true;
    writeBytes(pending, (error, written) => {
      isWriting = false;
      isFailing = error !== null && error !== undefined;
      if (isFailing) return;
      pending = written < length ? pending?.subarray(written) : undefined;
      if (pending === undefined) {
        bufferedLength = lines.reduce((sum, line) => sum + line.length, 0);
        if (unreported > 0) {
          const count = unreported;
          unreported = 0;
          onDropped(count);
        }
      }
      writeNext();
    });
  };
  setInterval(writeNext, flushMs).unref();

  return {
    write(line) {
      if (bufferedLength + line.length > maxBufferedLength) {
        dropped += 1;
        unreported += 1;
        return;
      }
      lines.push(line);
      bufferedLength += line.length;
      if (bufferedLength >= flushLength && !isFailing) writeNext();
    },
    flush() {
      if (!isFailing) writeNext();
    },
    flushSync() {
      // A write that is under way may have been done in part: its bytes are left to it, and the rest begins on a line of its own.
      let rest = Buffer.concat([isWriting ? Buffer.from("\n") : (pending ?? Buffer.alloc(0)), takeBuffered()]);
      if (rest.length === (isWriting ? 1 : 0)) return;
      pending = undefined;
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
      } catch {
        // The process ends: no place is left where the error could be reported.
      }
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeWithinMs);
        onIdle = resolve;
        writeNext();
      });
      clearTimeout(timer);
      onIdle = () => {};
    },
    dropped: () => dropped,
  };
}
