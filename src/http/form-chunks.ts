import type { IncomingMessage } from "node:http";
import { finished, PassThrough, type Readable } from "node:stream";
import { fillsItsMemory, release } from "../core/detach-buffer.ts";
import { type ForgeError, malformed } from "../core/errors.ts";

/** The memory of what has come of a request. */
export type RequestMemory = WeakSet<ArrayBufferLike>;

export const brokenOff = (cause?: unknown): ForgeError => malformed("the request ended within its file", { cause });

/** To be called before the request is read. */
export function memoryOf(request: IncomingMessage): RequestMemory {
  const memory: RequestMemory = new WeakSet();
  request.on("data", (chunk: Uint8Array) => fillsItsMemory(chunk) && memory.add(chunk.buffer));
  return memory;
}

/**
 * A file of a form, each piece good until the next one is asked for. The parser goes through the chunks of the request one after another and finds pieces
 * of the file in them: when one of a later chunk has come, nobody needs what came before. What a reader leaves is let pass.
 */
export async function* piecesOf(content: Readable, memory: RequestMemory): AsyncGenerator<Uint8Array, void, undefined> {
  // A stream of bytes would put pieces together that wait, and copy them for that.
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
