import { malformed } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import { type FetchRequest, neededRefs, parseCommandRequest, parseFetchRequest } from "../../../../git/send/fetch-request.ts";
import type { PackCache } from "../../../../git/send/pack-cache.ts";
import { streamFetch } from "../../../../git/send/upload-pack.ts";
import type { GitStore, GitStores } from "../../../../git/stores.ts";
import type { RefSnapshot, RefSnapshots } from "../../../repositories/refs/service/snapshots.ts";
import { type GitTarget, storeIdOf } from "../git-target.ts";
import { lsRefs, type ProtocolVersion } from "./advertise.ts";
import type { RefAnswers } from "./ref-responses.ts";

export interface FetchDeps {
  readonly db: Reader;
  readonly git: GitStores;
  readonly packCache: PackCache;
  readonly refAnswers: RefAnswers;
  readonly refSnapshots: RefSnapshots;
}

/** Wants and haves, no pack: larger requests ask for more than they can name. */
export const maxFetchBytes = 32 * 1024 * 1024;

/** One whole request of a fetch. */
export interface FetchQuestion {
  readonly version: ProtocolVersion;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

/**
 * Answers one request to `git-upload-pack`. Lists of refs come from the database; packs come from git, and identical ones from the cache. Where a
 * pack depends on refs, git sees those that the database holds now.
 * @throws ForgeError `malformed`, `too_large`, `unavailable`
 */
export async function answerFetch(deps: FetchDeps, target: GitTarget, { version, body, signal }: FetchQuestion): Promise<Buffer | AsyncIterable<Uint8Array>> {
  if (version === 2) {
    const { command, arguments: args } = parseCommandRequest(body);
    if (command === "ls-refs") return deps.refAnswers.answer(target, `ls-refs ${args.join("\n")}`, (advertised) => lsRefs(advertised, args));
    if (command !== "fetch") throw malformed(`this server does not know the command ${command}`);
  }
  const store = fetchedStore(deps, target);
  return streamAnswer(deps, store, { request: parseFetchRequest(body, version), signal });
}

async function* streamAnswer(
  deps: FetchDeps,
  store: GitStore,
  { request, signal }: { readonly request: FetchRequest; readonly signal: AbortSignal },
): AsyncGenerator<Buffer, void, undefined> {
  const refs = await takeRefs(deps, store, request);
  yield* streamFetch(deps.packCache, store, { request, refs, signal });
}

/** The refs that a request needs, as they are now; undefined where it needs none. The caller releases them. */
export async function takeRefs({ refSnapshots }: Pick<FetchDeps, "refSnapshots">, store: GitStore, request: FetchRequest): Promise<RefSnapshot | undefined> {
  const needed = neededRefs(request);
  return needed === "none" ? undefined : refSnapshots.take(store, needed);
}

/** Where what is asked for lies. @throws ForgeError `malformed` for a wiki without a page: nothing of it was ever told */
export function fetchedStore({ git }: Pick<FetchDeps, "git">, target: GitTarget): GitStore {
  const storeId = storeIdOf(target);
  if (storeId === null) throw malformed("this wiki holds nothing that could be asked for");
  return git.store(storeId, target.repository.objectFormat);
}
