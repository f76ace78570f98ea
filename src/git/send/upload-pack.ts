import { inLargePieces } from "../../core/coalesce-chunks.ts";
import { isForgeError } from "../../core/errors.ts";
import { type GitInput, type GitStream, streamGit } from "../run/runner.ts";
import { type GitStore, isPresent } from "../stores.ts";
import { type FetchRequest, fetchKey } from "./fetch-request.ts";
import type { PackCache } from "./pack-cache.ts";
import { createPktReader, encodePkt } from "./pkt-line.ts";
import type { StoreWithRefs } from "./store-with-refs.ts";
import { clientFault } from "./upload-pack-faults.ts";

export interface UploadPackRequest {
  /** 0 and 1 are the same on this side of the advertisement. */
  readonly version: 0 | 1 | 2;
  /** One whole request: the body that a client posts, or `FetchRequest.body`. */
  readonly input: GitInput;
  readonly signal?: AbortSignal | undefined;
}

/** Without side bands an old client gets no sign of life while objects are counted. */
const idleMs = 10 * 60 * 1000;

/**
 * Answers one request of a fetch (gitprotocol-http, gitprotocol-v2), streamed as the reader takes it. Every object of the store may be asked for,
 * so callers decide first that the reader may have them all. The process sees the refs of a {@link StoreWithRefs}, and none of any other store.
 * @throws ForgeError `unavailable` when there is no place for the process; from the stream when git fails within the answer
 */
export async function streamUploadPack(store: GitStore | StoreWithRefs, request: UploadPackRequest): Promise<GitStream> {
  return streamGit(
    store,
    { name: "upload-pack", flags: { "--stateless-rpc": true, "--strict": true }, directory: await directoryOf(store) },
    { stdin: request.input, protocol: `version=${request.version}`, signal: request.signal, idleMs },
  );
}

/** `upload-pack` takes its git directory by name and not from the environment. */
async function directoryOf(store: GitStore): Promise<string> {
  const neutral = store.shared.home.neutralDirectory(store.format);
  return (await isPresent(store)) ? (store.refsDirectory ?? neutral) : neutral;
}

export interface UploadConversation {
  /** What a client of protocol v0 or v1 says after it was greeted. */
  readonly input: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A fetch of protocol v0 or v1 over a channel that stays open: git negotiates with the client itself. Git's own advertisement is dropped, because
 * the caller has sent one already.
 * @throws ForgeError as {@link streamUploadPack}
 */
export async function* streamUploadConversation(
  store: GitStore | StoreWithRefs,
  { input, signal }: UploadConversation,
): AsyncGenerator<Buffer, void, undefined> {
  const command = { name: "upload-pack", flags: { "--strict": true }, directory: await directoryOf(store) } as const;
  const { stdout } = await streamGit(store, command, { stdin: input, signal, idleMs });
  try {
    const reader = createPktReader(stdout);
    for (let pkt = await reader.next(); pkt !== undefined && pkt.kind !== "flush"; pkt = await reader.next());
    yield* reader.rest();
  } catch (error) {
    yield* faultPacket(error);
  }
}

export interface FetchAnswer {
  readonly request: FetchRequest;
  /** Shows the refs that the request needs (`neededRefs`); undefined where it needs none. It is released once it is not needed any more. */
  readonly refs?: FetchRefs | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A snapshot of refs that is in use. */
export interface FetchRefs {
  readonly store: GitStore | StoreWithRefs;
  /** Of the content of the snapshot. */
  readonly digest: string;
  /** Keeps the snapshot until one more `release`. */
  retain(): void;
  release(): void;
}

/** As large as a reader of the cache takes them; what git says of its progress is not held up. */
const pieces = { maxBytes: 512 * 1024, lingerMs: 5 };

/** Answers a fetch, from the pack cache where the answer is the same for everybody. A piece is good until the next one is asked for. */
export async function* streamFetch(cache: PackCache, store: GitStore, { request, refs, signal }: FetchAnswer): AsyncGenerator<Buffer, void, undefined> {
  const make = async function* (end: AbortSignal | undefined): AsyncGenerator<Buffer, void, undefined> {
    // Other readers of the cache may stay after the one that began, so the process keeps the snapshot itself.
    refs?.retain();
    try {
      yield* inLargePieces((await streamUploadPack(refs?.store ?? store, { version: request.version, input: request.body, signal: end })).stdout, pieces);
    } finally {
      refs?.release();
    }
  };
  const key = fetchKey(store, request, refs?.digest);
  let isHeld = refs !== undefined;
  const letGo = (): void => {
    if (isHeld) refs?.release();
    isHeld = false;
  };
  try {
    for await (const piece of key === undefined ? make(signal) : cache.stream({ key, group: store.key, make, signal })) {
      // From here on the process holds the snapshot, or there is none: the client may take its time.
      letGo();
      yield piece;
    }
  } catch (error) {
    yield* faultPacket(error);
  } finally {
    letGo();
  }
}

/** Ends an answer that git has refused for what the client asked. The answer is not kept. @throws any other error */
function* faultPacket(error: unknown): Generator<Buffer, void, undefined> {
  const fault = isForgeError(error, "unavailable") ? clientFault(error.options.meta) : undefined;
  if (fault === undefined) throw error;
  if (!fault.isSent) yield encodePkt(`ERR ${fault.message}\n`);
}
