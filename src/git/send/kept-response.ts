import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { coalesceChunks } from "../../core/coalesce-chunks.ts";
import { type Enter, inPlace } from "../../core/lanes.ts";
import type { GitStore } from "../stores.ts";
import type { PackCache } from "./pack-cache.ts";

export interface KeptResponse {
  /** Everything that the response follows from, besides the store; begins with its kind. */
  readonly key: readonly unknown[];
  /** Produces the response. The signal aborts it once it has no readers. */
  readonly make: (signal: AbortSignal) => Promise<Readable>;
  readonly signal?: AbortSignal | undefined;
  /** Waits for a place in a lane before the response is made. */
  readonly enter?: Enter | undefined;
}

/** Larger chunks cost fewer turns; the short linger keeps the start of a response prompt. */
const coalesceOptions = { maxBytes: 256 * 1024, lingerMs: 5 };

/** Streams a response from the cache on disk, or makes it. Concurrent requests share the work. @throws ForgeError if it cannot be started */
export function openKept(cache: PackCache, store: GitStore, { key, make, signal, enter }: KeptResponse): Promise<Readable> {
  const digest = createHash("sha256").update(JSON.stringify([...key, store.key, store.format]));
  return startReading(cache.stream({ key: digest.digest("hex"), group: store.key, make: (end) => chunksOf(make(end)), signal, enter }));
}

/** As {@link openKept}, without the cache: for responses that are never the same again. */
export const openOnce = (make: () => Promise<Readable>, enter?: Enter): Promise<Readable> => startReading(onceInPlace(make, enter));

async function* onceInPlace(make: () => Promise<Readable>, enter: Enter | undefined): AsyncGenerator<Buffer, void, undefined> {
  const place = await enter?.();
  if (place === undefined) yield* chunksOf(make());
  else yield* inPlace(place, chunksOf(make()));
}

async function* chunksOf(made: Promise<Readable>): AsyncGenerator<Buffer, void, undefined> {
  yield* coalesceChunks(await made, coalesceOptions);
}

/** Reads the first chunk, so that a failure to start is an error response and not a response that ends early. */
async function startReading(chunks: AsyncGenerator<Buffer, void, undefined>): Promise<Readable> {
  const first = await chunks.next();
  const copies = async function* (): AsyncGenerator<Buffer, void, undefined> {
    // A chunk is valid until the next one is read, and a stream reads ahead.
    if (first.done !== true) yield Buffer.from(first.value);
    for await (const chunk of chunks) yield Buffer.from(chunk);
  };
  const body = Readable.from(copies(), { objectMode: false });
  // Also if it is destroyed before it is read, since the generator never runs then.
  body.once("close", () => void chunks.return().catch(() => {}));
  return body;
}
