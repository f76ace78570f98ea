import { promisify } from "node:util";
import { deflate, deflateSync } from "node:zlib";

/** Fast rather than small, as git does for loose objects: housekeeping recompresses them. */
const options = { level: 1 } as const;
/** Below this size the thread pool costs more than the work itself. */
const inlineBytes = 16 * 1024;
const deflateInPool = promisify<Uint8Array, typeof options, Buffer>(deflate);

/** Compresses content with zlib, outside the event loop if it is large. */
export async function compress(content: Uint8Array): Promise<Buffer> {
  return content.length <= inlineBytes ? deflateSync(content, options) : deflateInPool(content, options);
}
