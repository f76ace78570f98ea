import { malformed } from "../../../../core/errors.ts";
import type { Enter, Lane } from "../../../../core/lanes.ts";
import type { Reader } from "../../../../db/db.ts";
import { type FetchRequest, neededRefs, parseCommandRequest, parseFetchRequest } from "../../../../git/send/fetch-request.ts";
import type { FetchRequests } from "../../../../git/send/fetch-requests.ts";
import type { PackCache } from "../../../../git/send/pack-cache.ts";
import { decodePkts, flushPkt, pktText } from "../../../../git/send/pkt-line.ts";
import { streamFetch } from "../../../../git/send/upload-pack.ts";
import type { GitStore, GitStores } from "../../../../git/stores.ts";
import type { RefSnapshot, RefSnapshots } from "../../../repositories/refs/service/snapshots.ts";
import { type GitTarget, packsVersionOf, storeIdOf } from "../git-target.ts";
import { lsRefs, type ProtocolVersion } from "./advertise.ts";
import type { RefAnswers } from "./ref-responses.ts";

export interface FetchDeps {
  /** The lane of packs and archives. */
  readonly bulkLane: Lane;
  readonly db: Reader;
  readonly git: GitStores;
  readonly packCache: PackCache;
  readonly fetchRequests: FetchRequests;
  readonly refAnswers: RefAnswers;
  readonly refSnapshots: RefSnapshots;
}

/** A request has wants and haves, but no pack. A valid one is never larger. */
export const maxFetchBytes = 32 * 1024 * 1024;

/** One complete fetch request. */
export interface FetchQuestion {
  readonly version: ProtocolVersion;
  readonly body: Buffer;
  /** Waits for a place in a lane before a pack is made. */
  readonly enter: Enter;
  readonly signal: AbortSignal;
}

/**
 * Handles one request to `git-upload-pack`. Ref lists come from the database. Packs come from git, and identical ones from the
 * cache. Where a pack depends on refs, git sees the database's current ones.
 * @throws ForgeError `malformed`, `too_large`, `unavailable`
 */
export async function answerFetch(
  deps: FetchDeps,
  target: GitTarget,
  { version, body, enter, signal }: FetchQuestion,
): Promise<readonly Buffer[] | AsyncIterable<Uint8Array>> {
  // Git tries its credentials with a flush packet before a large request.
  if (body.equals(flushPkt)) return [];
  if (version !== 2 || beginsFetch(body)) {
    const request = await deps.fetchRequests.read(body, version, () => parseFetchRequest(body, version));
    return streamAnswer(deps, fetchedStore(deps, target), { request, enter, signal });
  }
  const { command, arguments: args } = await parseCommandRequest(body);
  if (command === "ls-refs") return deps.refAnswers.answer(target, `ls-refs ${args.join("\n")}`, (advertised) => lsRefs(advertised, args));
  if (command !== "fetch") throw malformed(`this server does not support the command ${command}`);
  return streamAnswer(deps, fetchedStore(deps, target), { request: await parseFetchRequest(body, version), enter, signal });
}

/** Whether the first packet is this command, as git sends it. @throws ForgeError `malformed` */
function beginsFetch(body: Buffer): boolean {
  const { value: first } = decodePkts(body).next();
  return first?.kind === "data" && pktText(first.data) === "command=fetch";
}

async function* streamAnswer(
  deps: FetchDeps,
  store: GitStore,
  { request, enter, signal }: { readonly request: FetchRequest } & Pick<FetchQuestion, "enter" | "signal">,
): AsyncGenerator<Buffer, void, undefined> {
  const refs = await takeRefs(deps, store, request);
  yield* streamFetch(deps.packCache, store, { request, refs, enter, signal });
}

/** The current refs if a request needs them; undefined otherwise. The caller releases them. */
export async function takeRefs({ refSnapshots }: Pick<FetchDeps, "refSnapshots">, store: GitStore, request: FetchRequest): Promise<RefSnapshot | undefined> {
  const needed = neededRefs(request);
  return needed === "none" ? undefined : refSnapshots.take(store, needed);
}

/** The store of the requested part. @throws ForgeError `malformed` for a wiki without pages, which has advertised no objects */
export function fetchedStore({ git }: Pick<FetchDeps, "git">, target: GitTarget): GitStore {
  const storeId = storeIdOf(target);
  if (storeId === null) throw malformed("this wiki has no objects to fetch");
  return git.store(storeId, target.repository.objectFormat, packsVersionOf(target));
}
