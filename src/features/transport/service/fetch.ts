import { createHash } from "node:crypto";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { malformed } from "../../../core/errors.ts";
import type { Reader } from "../../../db/db.ts";
import { parseCommandRequest, parseFetchRequest, readBody } from "../../../git/fetch-request.ts";
import type { PackCache } from "../../../git/pack-cache.ts";
import type { GitStores } from "../../../git/stores.ts";
import { streamFetch } from "../../../git/upload-pack.ts";
import { allRefs } from "../../refs/service/read.ts";
import { getStore } from "../../refs/service/stores.ts";
import { type AdvertisedStore, lsRefs, type ProtocolVersion } from "./advertise.ts";

export interface FetchDeps {
  readonly db: Reader;
  readonly git: GitStores;
  readonly packCache: PackCache;
}

/** Wants and haves, no pack: larger requests ask for more than they can name. */
const maxFetchBytes = 32 * 1024 * 1024;

/** Refs that keep objects alive and are nobody's business. */
const hiddenPrefix = "refs/hearth/";

/** What an advertisement tells of a repository: two statements, no process. */
export async function loadAdvertised(deps: { readonly db: Reader }, repository: RepositorySubject): Promise<AdvertisedStore> {
  const store = await getStore(deps.db, repository.codeStoreId);
  const refs = await allRefs(deps.db, repository.codeStoreId);
  return {
    format: repository.objectFormat,
    headRef: store?.headRef ?? `refs/heads/${repository.defaultBranch}`,
    refs: refs.filter(({ name }) => !name.startsWith(hiddenPrefix)),
  };
}

/**
 * Answers one request to `git-upload-pack`. What the refs are is told from the database; packs come from git, and identical ones from the cache.
 * @throws ForgeError `malformed`, `too_large`, `unavailable`
 */
export async function answerFetch(
  deps: FetchDeps,
  repository: RepositorySubject,
  version: ProtocolVersion,
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Buffer | AsyncIterable<Uint8Array>> {
  const store = deps.git.store(repository.codeStoreId, repository.objectFormat);
  const body = await readBody(input, maxFetchBytes);
  if (version === 2) {
    const { command, arguments: args } = parseCommandRequest(body);
    if (command === "ls-refs") return lsRefs(await loadAdvertised(deps, repository), args);
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
