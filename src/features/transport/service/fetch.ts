import { createHash } from "node:crypto";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { malformed } from "../../../core/errors.ts";
import type { Reader } from "../../../db/db.ts";
import { parseCommandRequest, parseFetchRequest, readBody } from "../../../git/fetch-request.ts";
import type { PackCache } from "../../../git/pack-cache.ts";
import type { GitStores } from "../../../git/stores.ts";
import { streamFetch } from "../../../git/upload-pack.ts";
import { getStore } from "../../refs/service/stores.ts";
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

/** @throws ForgeError `too_large` */
export const readFetchBody = (input: AsyncIterable<Uint8Array>): Promise<Buffer> => readBody(input, maxFetchBytes);

/**
 * Answers one request to `git-upload-pack`. What the refs are is told from the database; packs come from git, and identical ones from the cache.
 * @throws ForgeError `malformed`, `too_large`, `unavailable`
 */
export async function answerFetch(
  deps: FetchDeps,
  repository: RepositorySubject,
  { version, body, signal }: FetchQuestion,
): Promise<Buffer | AsyncIterable<Uint8Array>> {
  const store = deps.git.store(repository.codeStoreId, repository.objectFormat);
  if (version === 2) {
    const { command, arguments: args } = parseCommandRequest(body);
    if (command === "ls-refs") return deps.refAnswers.answer(repository, `ls-refs ${args.join("\n")}`, (advertised) => lsRefs(advertised, args));
    if (command !== "fetch") throw malformed(`this server does not know the command ${command}`);
  }
  const request = parseFetchRequest(body, version);
  return streamFetch(deps.packCache, store, { request, refsDigest: await refsDigest(deps, repository), signal });
}

/** Changes with every move of a ref, for answers that depend on more than the objects asked for. */
async function refsDigest(deps: { readonly db: Reader }, repository: RepositorySubject): Promise<string> {
  const store = await getStore(deps.db, repository.codeStoreId);
  return createHash("sha256")
    .update(`${repository.codeStoreId}:${store?.refsVersion ?? 0}`)
    .digest("hex");
}
