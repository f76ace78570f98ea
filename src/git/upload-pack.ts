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
