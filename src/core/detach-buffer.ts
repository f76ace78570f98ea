/**
 * What comes from a socket comes in memory of its own, chunk by chunk, and stays until the collector comes: of a large file that is far more than anybody
 * reads at once. Whoever knows that a chunk is its own, and read, gives its memory back at once.
 */

/** Whether a chunk is all that lies in its memory. */
export const fillsItsMemory = (chunk: Uint8Array): boolean => chunk.byteLength > 0 && chunk.byteLength === chunk.buffer.byteLength;

/** Gives memory back. Every view of it is empty from here on. */
export function release(memory: ArrayBufferLike): void {
  if (memory instanceof ArrayBuffer) memory.transfer(0);
}

/** Hands on chunks that nobody else has; each is good until the next one is asked for, and is gone then. */
export async function* releasing<T extends Uint8Array>(chunks: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  for await (const chunk of chunks) {
    yield chunk;
    if (fillsItsMemory(chunk)) release(chunk.buffer);
  }
}
