import { createHash } from "node:crypto";
import { isForgeError, unavailable } from "../../core/errors.ts";
import { oidBytes } from "../objects/hash.ts";
import { aborted } from "../run/limiter.ts";
import type { ObjectFormat } from "../types.ts";
import { problem } from "./pack-problems.ts";
import { smallPackBytes } from "./small-pack.ts";

/** The bytes of a pack as they come (gitformat-pack), before anything is known of what they hold. */

export interface PackLimits {
  readonly maxBytes: number;
  /** What the pack's header may announce. */
  readonly maxObjects?: number;
  readonly signal?: AbortSignal | undefined;
}

/** index-pack reserves memory for what the header announces. */
const defaultMaxObjects = 20_000_000;

export interface IncomingPack {
  readonly objectCount: number;
  /** Bytes seen so far. */
  sizeBytes(): number;
  bytes(): AsyncGenerator<Buffer, void, undefined>;
  /** Lets go of the source, wherever reading it has stopped: who reads none of `bytes`, or no longer, closes nothing by that alone. */
  close(): void;
}

const headerBytes = 12;

/** Reads a pack's header (gitformat-pack): `PACK`, version, number of objects. The bytes come out again with all others. */
export async function openPack(source: AsyncIterable<Uint8Array>, limits: PackLimits): Promise<IncomingPack> {
  const input = source[Symbol.asyncIterator]();
  // Not awaited: a source that is waiting for more ends with that.
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
    if (sizeBytes > limits.maxBytes) throw problem("too_large", `the pack is larger than ${limits.maxBytes} bytes`);
    return Buffer.from(step.value.buffer, step.value.byteOffset, step.value.byteLength);
  }

  let start: Buffer = Buffer.alloc(0);
  while (start.length < headerBytes) {
    const chunk = await nextChunk();
    if (chunk === undefined) throw problem("bad_pack", "the pack ends within its header");
    start = Buffer.concat([start, chunk]);
  }
  const version = start.readUInt32BE(4);
  if (start.toString("latin1", 0, 4) !== "PACK" || (version !== 2 && version !== 3)) throw problem("bad_pack", "what follows the commands is no pack");
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
  /** All of it; undefined when it is not small, or cut. */
  readonly pack: Buffer | undefined;
  /** What was gathered, and what comes behind it. */
  all(): AsyncGenerator<Buffer, void, undefined>;
}

/** Reads up to the checksum that a small pack ends in: a client that waits for its report need not end its side before. */
export async function gatherPack(source: AsyncGenerator<Buffer, void, undefined>, format: ObjectFormat, signal?: AbortSignal): Promise<GatheredPack> {
  const held = Buffer.allocUnsafe(smallPackBytes);
  const hash = createHash(format);
  let heldBytes = 0;
  let hashedBytes = 0;
  let beyond: Buffer | undefined;
  let isWhole = false;
  while (!isWhole) {
    const step = await nextOf(source, signal);
    if (step.done === true) break;
    if (heldBytes + step.value.length > held.length) {
      beyond = step.value;
      break;
    }
    heldBytes += step.value.copy(held, heldBytes);
    const bodyBytes = heldBytes - oidBytes(format);
    if (bodyBytes < headerBytes) continue;
    hash.update(held.subarray(hashedBytes, bodyBytes));
    hashedBytes = bodyBytes;
    isWhole = hash.copy().digest().equals(held.subarray(bodyBytes, heldBytes));
  }
  const gathered = held.subarray(0, heldBytes);
  return {
    pack: isWhole ? gathered : undefined,
    async *all() {
      yield gathered;
      if (beyond !== undefined) yield beyond;
      yield* source;
    },
  };
}

/** @throws ForgeError `unavailable` when the signal comes first, or the source fails in a way of its own */
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
 * A push that only names objects which are here already carries a pack of nothing.
 * @returns its size
 */
export async function readEmptyPack(format: ObjectFormat, pack: IncomingPack): Promise<number> {
  const digestBytes = oidBytes(format);
  const chunks: Buffer[] = [];
  for await (const chunk of pack.bytes()) {
    chunks.push(chunk);
    if (pack.sizeBytes() > headerBytes + digestBytes) throw problem("bad_pack", "the pack holds more than it announces");
    // A client that waits for its report need not end its side before.
    if (pack.sizeBytes() === headerBytes + digestBytes) break;
  }
  const whole = Buffer.concat(chunks);
  const digest = createHash(format).update(whole.subarray(0, headerBytes)).digest();
  if (!digest.equals(whole.subarray(headerBytes))) throw problem("bad_pack", "the pack's checksum is wrong");
  return whole.length;
}
