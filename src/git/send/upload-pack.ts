import { coalesceChunks } from "../../core/coalesce-chunks.ts";
import { isForgeError } from "../../core/errors.ts";
import { type Enter, inPlace } from "../../core/lanes.ts";
import { type GitInput, type GitStream, streamGit } from "../run/runner.ts";
import { type GitStore, isPresent } from "../stores.ts";
import { type FetchRequest, fetchKey } from "./fetch-request.ts";
import type { PackCache } from "./pack-cache.ts";
import { createPktReader, encodePkt } from "./pkt-line.ts";
import type { StoreWithRefs } from "./store-with-refs.ts";
import { clientFault } from "./upload-pack-faults.ts";

export interface UploadPackRequest {
  /** 0 and 1 behave the same after the advertisement. */
  readonly version: 0 | 1 | 2;
  /** One complete request: the posted body, or `FetchRequest.body`. */
  readonly input: GitInput;
  readonly signal?: AbortSignal | undefined;
}

/** Without side bands an old client receives no progress while objects are counted. */
const idleMs = 10 * 60 * 1000;

/**
 * Streams the response to one fetch request (gitprotocol-http, gitprotocol-v2) with backpressure. The client can request every object of
 * the store, so callers must check first that it may read them all. The process sees the refs of a {@link StoreWithRefs}, and no refs for
 * any other store.
 * @throws ForgeError `unavailable` if no process slot is free; from the stream if git fails during the response
 */
export async function streamUploadPack(store: GitStore | StoreWithRefs, request: UploadPackRequest): Promise<GitStream> {
  return streamGit(
    store,
    { name: "upload-pack", flags: { "--stateless-rpc": true, "--strict": true }, directory: await directoryOf(store) },
    { stdin: request.input, protocol: `version=${request.version}`, signal: request.signal, idleMs },
  );
}

/** `upload-pack` takes its git directory as an argument, not from the environment. */
async function directoryOf(store: GitStore): Promise<string> {
  const neutral = store.shared.home.neutralDirectory(store.format);
  return (await isPresent(store)) ? (store.refsDirectory ?? neutral) : neutral;
}

export interface UploadConversation {
  /** The client's side of protocol v0 or v1 after the advertisement. */
  readonly input: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
  /** Waits for a place in a lane before git starts. */
  readonly enter?: Enter | undefined;
}

/**
 * A fetch of protocol v0 or v1 over a bidirectional channel: git negotiates with the client directly. Git's own advertisement is dropped,
 * because the caller has already sent one.
 * @throws ForgeError as {@link streamUploadPack}
 */
export async function* streamUploadConversation(
  store: GitStore | StoreWithRefs,
  { input, signal, enter }: UploadConversation,
): AsyncGenerator<Buffer, void, undefined> {
  const place = await enter?.(signal);
  const command = { name: "upload-pack", flags: { "--strict": true }, directory: await directoryOf(store) } as const;
  try {
    const { stdout } = await streamGit(store, command, { stdin: input, signal, idleMs });
    const reader = createPktReader(stdout);
    for (let pkt = await reader.next(); pkt !== undefined && pkt.kind !== "flush"; pkt = await reader.next());
    if (place === undefined) yield* reader.rest();
    else yield* inPlace(place, reader.rest());
  } catch (error) {
    yield* faultPacket(error);
  } finally {
    place?.leave();
  }
}

export interface FetchAnswer {
  readonly request: FetchRequest;
  /**
   * Provides the refs that the request needs (`neededRefs`); undefined if it needs none. They are released once they are not needed any
   * more.
   */
  readonly refs?: FetchRefs | undefined;
  /** Waits for a place in a lane before a pack is made. */
  readonly enter?: Enter | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A snapshot of refs that is in use. */
export interface FetchRefs {
  readonly store: GitStore | StoreWithRefs;
  /** Digest of the snapshot's content. */
  readonly digest: string;
  /** Keeps the snapshot until one more `release`. */
  retain(): void;
  release(): void;
}

/** Chunk size matches the cache's reads; the short linger keeps git's progress messages prompt. */
const coalesceOptions = { maxBytes: 512 * 1024, lingerMs: 5 };

/** Streams a fetch response, from the pack cache if it is the same for every client. A chunk is valid until the next read. */
export async function* streamFetch(cache: PackCache, store: GitStore, { request, refs, enter, signal }: FetchAnswer): AsyncGenerator<Buffer, void, undefined> {
  const make = async function* (end: AbortSignal | undefined): AsyncGenerator<Buffer, void, undefined> {
    // Other readers of the cache may outlast the first one, so the process retains the snapshot itself.
    refs?.retain();
    try {
      yield* coalesceChunks(
        (await streamUploadPack(refs?.store ?? store, { version: request.version, input: request.body, signal: end })).stdout,
        coalesceOptions,
      );
    } finally {
      refs?.release();
    }
  };
  const alone = async function* (): AsyncGenerator<Buffer, void, undefined> {
    const place = await enter?.(signal);
    if (place === undefined) yield* make(signal);
    else yield* inPlace(place, make(signal));
  };
  const key = fetchKey(store, request, refs?.digest);
  let isHeld = refs !== undefined;
  const letGo = (): void => {
    if (isHeld) refs?.release();
    isHeld = false;
  };
  try {
    for await (const chunk of key === undefined ? alone() : cache.stream({ key, group: store.key, make, enter, signal })) {
      // The process now retains the snapshot, or there is none, so a slow client no longer blocks it.
      letGo();
      yield chunk;
    }
  } catch (error) {
    yield* faultPacket(error);
  } finally {
    letGo();
  }
}

/** Ends a response after a client error from git. The response is not cached. @throws any other error */
function* faultPacket(error: unknown): Generator<Buffer, void, undefined> {
  const fault = isForgeError(error, "unavailable") ? clientFault(error.options.meta) : undefined;
  if (fault === undefined) throw error;
  if (!fault.isSent) yield encodePkt(`ERR ${fault.message}\n`);
}
