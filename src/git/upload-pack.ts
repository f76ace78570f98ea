import { isForgeError } from "../core/errors.ts";
import { inLargePieces } from "../core/large-pieces.ts";
import { type FetchRequest, fetchKey } from "./fetch-request.ts";
import type { PackCache } from "./pack-cache.ts";
import { createPktReader } from "./pkt-line.ts";
import { type GitInput, type GitStream, streamGit } from "./runner.ts";
import { type GitStore, isPresent } from "./stores.ts";

export interface UploadPackRequest {
  /** 0 and 1 are the same on this side of the advertisement. */
  readonly version: 0 | 1 | 2;
  /** One whole request: what a client posts, or what `FetchRequest.body` holds. */
  readonly input: GitInput;
  readonly signal?: AbortSignal | undefined;
}

/** Without side bands an old client gets no sign of life while objects are counted. */
const idleMs = 10 * 60 * 1000;

/**
 * Answers one request of a fetch (gitprotocol-http, gitprotocol-v2), streamed as the reader takes it. Every object of the
 * store may be asked for, so whoever calls this has decided that the reader may have them all.
 * @throws ForgeError `unavailable` when there is no place for the process; from the stream when git fails within the answer
 */
export async function streamUploadPack(store: GitStore, request: UploadPackRequest): Promise<GitStream> {
  const directory = (await isPresent(store)) ? store.path : store.shared.home.neutralDirectory(store.format);
  return streamGit(
    store,
    { name: "upload-pack", flags: { "--stateless-rpc": true, "--strict": true }, directory },
    { stdin: request.input, protocol: `version=${request.version}`, signal: request.signal, idleMs },
  );
}

export interface UploadConversation {
  /** What a client of protocol v0 or v1 says after it was greeted. */
  readonly input: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A fetch of protocol v0 or v1 over a channel that stays open: git negotiates with the client itself. Its own greeting is taken off, since it tells
 * refs from the disk; whoever calls this has greeted the client already.
 * @throws ForgeError as {@link streamUploadPack}
 */
export async function* streamUploadConversation(store: GitStore, { input, signal }: UploadConversation): AsyncGenerator<Buffer, void, undefined> {
  const directory = (await isPresent(store)) ? store.path : store.shared.home.neutralDirectory(store.format);
  const { stdout } = await streamGit(store, { name: "upload-pack", flags: { "--strict": true }, directory }, { stdin: input, signal, idleMs });
  try {
    const reader = createPktReader(stdout);
    for (let pkt = await reader.next(); pkt !== undefined && pkt.kind !== "flush"; pkt = await reader.next());
    yield* reader.rest();
  } catch (error) {
    if (!asksForMissing(error)) throw error;
  }
}

export interface FetchAnswer {
  readonly request: FetchRequest;
  /** Changes whenever a ref of the store does; for requests whose answer depends on refs. */
  readonly refsDigest: string;
  readonly signal?: AbortSignal | undefined;
}

/** As large as a reader of the cache takes them; what git says of its progress is not held up. */
const pieces = { maxBytes: 512 * 1024, lingerMs: 5 };

/** Answers a fetch, from the pack cache where the answer is the same for everybody. A piece is good until the next one is asked for. */
export async function* streamFetch(cache: PackCache, store: GitStore, { request, refsDigest, signal }: FetchAnswer): AsyncGenerator<Buffer, void, undefined> {
  const make = async function* (end: AbortSignal | undefined): AsyncGenerator<Buffer, void, undefined> {
    yield* inLargePieces((await streamUploadPack(store, { version: request.version, input: request.body, signal: end })).stdout, pieces);
  };
  const key = fetchKey(store, request, refsDigest);
  try {
    if (key === undefined) yield* make(signal);
    else yield* cache.stream({ key, group: store.key, make, signal });
  } catch (error) {
    // Git has told the client so in its last packet: that is an answer, though not one to keep.
    if (!asksForMissing(error)) throw error;
  }
}

const asksForMissing = (error: unknown): boolean =>
  isForgeError(error, "unavailable") && String(error.options.meta?.stderr).startsWith("fatal: git upload-pack: not our ref ");
