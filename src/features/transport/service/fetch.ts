import { createHash } from "node:crypto";
import { malformed } from "../../../core/errors.ts";
import type { Reader } from "../../../db/db.ts";
import { parseCommandRequest, parseFetchRequest } from "../../../git/fetch-request.ts";
import type { PackCache } from "../../../git/pack-cache.ts";
import type { GitStore, GitStores } from "../../../git/stores.ts";
import { streamFetch } from "../../../git/upload-pack.ts";
import { getStore } from "../../refs/service/stores.ts";
import { type GitTarget, storeIdOf } from "../git-target.ts";
import { lsRefs, type ProtocolVersion } from "./advertise.ts";
import type { RefAnswers } from "./ref-answers.ts";

export interface FetchDeps {
  readonly db: Reader;
  readonly git: GitStores;
  readonly packCache: PackCache;
  readonly refAnswers: RefAnswers;
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
 * Answers one request to `git-upload-pack`. What the refs are is told from the database; packs come from git, and identical ones from the cache.
 * @throws ForgeError `malformed`, `too_large`, `unavailable`
 */
export async function answerFetch(deps: FetchDeps, target: GitTarget, { version, body, signal }: FetchQuestion): Promise<Buffer | AsyncIterable<Uint8Array>> {
  if (version === 2) {
    const { command, arguments: args } = parseCommandRequest(body);
    if (command === "ls-refs") return deps.refAnswers.answer(target, `ls-refs ${args.join("\n")}`, (advertised) => lsRefs(advertised, args));
    if (command !== "fetch") throw malformed(`this server does not know the command ${command}`);
  }
  const store = fetchedStore(deps, target);
  const request = parseFetchRequest(body, version);
  return streamFetch(deps.packCache, store, { request, refsDigest: await refsDigest(deps, store.id), signal });
}

/** Where what is asked for lies. @throws ForgeError `malformed` for a wiki without a page: nothing of it was ever told */
export function fetchedStore({ git }: Pick<FetchDeps, "git">, target: GitTarget): GitStore {
  const storeId = storeIdOf(target);
  if (storeId === null) throw malformed("this wiki holds nothing that could be asked for");
  return git.store(storeId, target.repository.objectFormat);
}

/** Changes with every move of a ref, for answers that depend on more than the objects asked for. */
async function refsDigest(deps: { readonly db: Reader }, storeId: number): Promise<string> {
  const store = await getStore(deps.db, storeId);
  return createHash("sha256")
    .update(`${storeId}:${store?.refsVersion ?? 0}`)
    .digest("hex");
}
