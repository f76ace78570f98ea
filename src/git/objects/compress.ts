import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createDeflate, deflate, deflateSync } from "node:zlib";

/** Fast rather than small, as git does for loose objects: housekeeping recompresses them. */
const options = { level: 1 } as const;
/** Below this size the thread pool costs more than the work itself. */
const inlineBytes = 16 * 1024;
/** Above this size the result is not joined: a buffer of 50 MB takes 80 ms. */
const joinedBytes = 4 * 1024 * 1024;
const chunkBytes = 1024 * 1024;
const deflateInPool = promisify<Uint8Array, typeof options, Buffer>(deflate);

/** Compresses content with zlib, outside the event loop if it is large. */
export async function compress(content: Uint8Array): Promise<Buffer> {
  return content.length <= inlineBytes ? deflateSync(content, options) : deflateInPool(content, options);
}

/** The same in chunks, for content of any size. */
export async function compressInChunks(content: Uint8Array): Promise<readonly Buffer[]> {
  if (content.length <= joinedBytes) return [await compress(content)];
  const chunks: Buffer[] = [];
  for await (const chunk of Readable.from(slicesOf(content)).pipe(createDeflate({ ...options, chunkSize: chunkBytes }))) chunks.push(chunk);
  return chunks;
}

function* slicesOf(content: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < content.length; start += chunkBytes) yield content.subarray(start, start + chunkBytes);
}
