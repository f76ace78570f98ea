/**
 * Socket data arrives in chunks with memory of their own, which lives until the next garbage collection: for a large file that is far more
 * than is ever read at the same time. The owner of a chunk can free its memory right after reading it.
 */

/** Whether a chunk covers its entire ArrayBuffer. */
export const fillsItsMemory = (chunk: Uint8Array): boolean => chunk.byteLength > 0 && chunk.byteLength === chunk.buffer.byteLength;

/** Frees memory. Every view of it is empty afterwards. */
export function release(memory: ArrayBufferLike): void {
  if (memory instanceof ArrayBuffer) memory.transfer(0);
}

/** Yields chunks owned by the caller alone. Each is valid until the next one is requested, and is then freed. */
export async function* releasing<T extends Uint8Array>(chunks: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  for await (const chunk of chunks) {
    yield chunk;
    if (fillsItsMemory(chunk)) release(chunk.buffer);
  }
}
