import type { IncomingMessage } from "node:http";
import { finished, PassThrough, type Readable } from "node:stream";
import { fillsItsMemory, release } from "../core/detach-buffer.ts";
import { type ForgeError, malformed } from "../core/errors.ts";

/** Buffers that hold received chunks of a request. */
export type RequestMemory = WeakSet<ArrayBufferLike>;

export const brokenOff = (cause?: unknown): ForgeError => malformed("the request ended within its file", { cause });

/** Must be called before the request is read. */
export function memoryOf(request: IncomingMessage): RequestMemory {
  const memory: RequestMemory = new WeakSet();
  request.on("data", (chunk: Uint8Array) => fillsItsMemory(chunk) && memory.add(chunk.buffer));
  return memory;
}

/**
 * Yields the content of a form file; each chunk is valid until the next one is requested. The parser processes the chunks of the request
 * in order and emits slices of them: when a slice of a later chunk arrives, earlier chunks are no longer needed. Unread content is
 * discarded.
 */
export async function* piecesOf(content: Readable, memory: RequestMemory): AsyncGenerator<Uint8Array, void, undefined> {
  // A byte stream would concatenate waiting chunks, which copies them.
  const pieces = new PassThrough({ objectMode: true, highWaterMark: 1 });
  finished(content, (error) => error && pieces.destroy(error));
  content.pipe(pieces);
  let last: ArrayBufferLike | undefined;
  try {
    for await (const piece of pieces as AsyncIterable<Uint8Array>) {
      yield piece;
      const { buffer } = piece;
      if (buffer === last || !memory.has(buffer)) continue;
      if (last !== undefined) release(last);
      last = buffer;
    }
  } catch (error) {
    throw brokenOff(error);
  } finally {
    content.unpipe(pieces);
    content.resume();
  }
}
