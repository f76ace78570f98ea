import { promisify } from "node:util";
import { deflate, deflateSync } from "node:zlib";

/** Fast rather than small, as git does for loose objects: housekeeping compresses again. */
const options = { level: 1 } as const;
/** Below this the way to the thread pool costs more than the work. */
const inlineBytes = 16 * 1024;
const deflateInPool = promisify<Uint8Array, typeof options, Buffer>(deflate);

/** A zlib stream of the content, made outside the event loop when it is large. */
export async function compress(content: Uint8Array): Promise<Buffer> {
  return content.length <= inlineBytes ? deflateSync(content, options) : deflateInPool(content, options);
}
