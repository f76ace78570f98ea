import type { Readable } from "node:stream";
import { fillsItsMemory, release } from "./detach-buffer.ts";

export interface CoalesceOptions {
  /** Maximum size of a chunk. */
  readonly maxBytes: number;
  /** How long data waits for more. */
  readonly lingerMs: number;
}

/**
 * Combines small chunks of a stream: each chunk costs a thread pool turn when it is stored or sent, however small. A chunk is valid until
 * the next one is requested. Ending the iteration destroys the stream.
 * @throws the stream's error, after all data received before it
 */
export async function* coalesceChunks(stream: Readable, { maxBytes, lingerMs }: CoalesceOptions): AsyncGenerator<Buffer, void, undefined> {
  const buffer = Buffer.allocUnsafeSlow(maxBytes);
  let wake = (): void => undefined;
  let end: { readonly error?: Error } | undefined;
  const onReadable = (): void => wake();
  const onEnd = (): void => {
    end ??= stream.readableEnded ? {} : { error: stream.errored ?? new Error("the stream was closed before its end") };
    wake();
  };
  stream.on("readable", onReadable).once("end", onEnd).on("error", onEnd).once("close", onEnd);
  if (stream.destroyed) onEnd();
  let rest: Buffer | undefined;
  try {
    for (;;) {
      let filled = 0;
      let isLate = false;
      let patience: NodeJS.Timeout | undefined;
      while (filled < maxBytes) {
        const chunk: Buffer | null = rest ?? stream.read();
        if (chunk === null) {
          if (end !== undefined || isLate) break;
          if (filled > 0) {
            patience ??= setTimeout(() => {
              isLate = true;
              wake();
            }, lingerMs);
          }
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          continue;
        }
        const copied = chunk.copy(buffer, filled);
        filled += copied;
        rest = copied < chunk.length ? chunk.subarray(copied) : undefined;
        if (rest === undefined && fillsItsMemory(chunk)) release(chunk.buffer);
      }
      clearTimeout(patience);
      if (filled > 0) yield buffer.subarray(0, filled);
      else if (end?.error !== undefined) throw end.error;
      else if (end !== undefined) {
        // The caller has finished with the last chunk.
        release(buffer.buffer);
        return;
      }
    }
  } finally {
    stream.off("readable", onReadable);
    stream.destroy();
  }
}
