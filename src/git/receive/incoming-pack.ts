import { createHash } from "node:crypto";
import { aborted } from "../../core/aborted.ts";
import { isForgeError, unavailable } from "../../core/errors.ts";
import { oidBytes } from "../objects/hash.ts";
import type { ObjectFormat } from "../types.ts";
import { problem } from "./pack-problems.ts";
import { smallPackBytes } from "./small-pack.ts";

/** Reads the bytes of a pack as they arrive (gitformat-pack), before its contents are known. */

export interface PackLimits {
  readonly maxBytes: number;
  /** Maximum object count in the pack's header. */
  readonly maxObjects?: number;
  readonly signal?: AbortSignal | undefined;
}

/** index-pack allocates memory for the announced object count. */
const defaultMaxObjects = 20_000_000;

export interface IncomingPack {
  readonly objectCount: number;
  /** Bytes received so far. */
  sizeBytes(): number;
  bytes(): AsyncGenerator<Buffer, void, undefined>;
  /** Closes the source wherever reading has stopped. Needed because not reading `bytes`, or stopping early, does not close it. */
  close(): void;
}

const headerBytes = 12;

/** Reads a pack's header (gitformat-pack): `PACK`, version, number of objects. `bytes` yields the header again. */
export async function openPack(source: AsyncIterable<Uint8Array>, limits: PackLimits): Promise<IncomingPack> {
  const input = source[Symbol.asyncIterator]();
  // Not awaited: this also ends a source that is waiting for data.
  const close = (): void => void input.return?.().catch(() => {});
  try {
    return await readHeader(input, close, limits);
  } catch (error) {
    close();
    throw error;
  }
}

async function readHeader(input: AsyncIterator<Uint8Array>, close: () => void, limits: PackLimits): Promise<IncomingPack> {
  let sizeBytes = 0;

  async function nextChunk(): Promise<Buffer | undefined> {
    const step = await input.next();
    if (step.done === true) return undefined;
    sizeBytes += step.value.length;
    if (sizeBytes > limits.maxBytes) throw problem("too_large", `the pack is larger than ${limits.maxBytes} bytes`, { maxBytes: limits.maxBytes });
    return Buffer.from(step.value.buffer, step.value.byteOffset, step.value.byteLength);
  }

  let start: Buffer = Buffer.alloc(0);
  while (start.length < headerBytes) {
    const chunk = await nextChunk();
    if (chunk === undefined) throw problem("bad_pack", "the pack ends within its header");
    start = Buffer.concat([start, chunk]);
  }
  const version = start.readUInt32BE(4);
  if (start.toString("latin1", 0, 4) !== "PACK" || (version !== 2 && version !== 3)) throw problem("bad_pack", "the data after the commands is not a pack");
  const objectCount = start.readUInt32BE(8);
  if (objectCount > (limits.maxObjects ?? defaultMaxObjects)) throw problem("too_large", `the pack announces ${objectCount} objects`);

  return {
    objectCount,
    sizeBytes: () => sizeBytes,
    close,
    async *bytes(): AsyncGenerator<Buffer, void, undefined> {
      try {
        yield start;
        for (let chunk = await nextChunk(); chunk !== undefined; chunk = await nextChunk()) yield chunk;
      } finally {
        await input.return?.();
      }
    },
  };
}

export interface GatheredPack {
  /** The entire pack; undefined if it is not small, or truncated. */
  readonly pack: Buffer | undefined;
  /** The collected bytes, and the rest of the stream. */
  all(): AsyncGenerator<Buffer, void, undefined>;
}

/** Reads a small pack up to its trailing checksum: a client that waits for its report may keep its side open. */
export async function gatherPack(source: AsyncGenerator<Buffer, void, undefined>, format: ObjectFormat, signal?: AbortSignal): Promise<GatheredPack> {
  const held = Buffer.allocUnsafe(smallPackBytes);
  const hash = createHash(format);
  let gatheredBytes = 0;
  let hashedBytes = 0;
  let beyond: Buffer | undefined;
  let isWhole = false;
  while (!isWhole) {
    const step = await nextOf(source, signal);
    if (step.done === true) break;
    if (gatheredBytes + step.value.length > held.length) {
      beyond = step.value;
      break;
    }
    gatheredBytes += step.value.copy(held, gatheredBytes);
    const bodyBytes = gatheredBytes - oidBytes(format);
    if (bodyBytes < headerBytes) continue;
    hash.update(held.subarray(hashedBytes, bodyBytes));
    hashedBytes = bodyBytes;
    isWhole = hash.copy().digest().equals(held.subarray(bodyBytes, gatheredBytes));
  }
  const gathered = held.subarray(0, gatheredBytes);
  return {
    pack: isWhole ? gathered : undefined,
    async *all() {
      yield gathered;
      if (beyond !== undefined) yield beyond;
      yield* source;
    },
  };
}

/** @throws ForgeError `unavailable` if the signal aborts first, or the source fails */
async function nextOf(source: AsyncGenerator<Buffer, void, undefined>, signal: AbortSignal | undefined): Promise<IteratorResult<Buffer, void>> {
  const gone = Promise.withResolvers<never>();
  const onAbort = (): void => gone.reject(aborted(signal));
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  try {
    return await Promise.race([source.next(), gone.promise]);
  } catch (error) {
    throw isForgeError(error) ? error : unavailable("the input ended early", { cause: error, meta: { reason: "input" } });
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

/**
 * Reads the empty pack of a push whose objects all exist already.
 * @returns its size
 */
export async function readEmptyPack(format: ObjectFormat, pack: IncomingPack): Promise<number> {
  const digestBytes = oidBytes(format);
  const chunks: Buffer[] = [];
  for await (const chunk of pack.bytes()) {
    chunks.push(chunk);
    if (pack.sizeBytes() > headerBytes + digestBytes) throw problem("bad_pack", "the pack contains more data than its header announces");
    // A client that waits for its report may keep its side open.
    if (pack.sizeBytes() === headerBytes + digestBytes) break;
  }
  const whole = Buffer.concat(chunks);
  const digest = createHash(format).update(whole.subarray(0, headerBytes)).digest();
  if (!digest.equals(whole.subarray(headerBytes))) throw problem("bad_pack", "the pack's checksum is wrong");
  return whole.length;
}
