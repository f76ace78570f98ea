import { type Actor, isUser } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import { allowsScope } from "../../../../access/scopes.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden, notFound, unauthenticated } from "../../../../core/errors.ts";
import { findKeyHolder } from "../../../accounts/keys/service/key-holders.ts";
import { type GitAddress, repositoryName, requireUsable } from "../../transport/service/locate.ts";
import { findAtAnyAddress } from "../../transport/service/locate-by-key.ts";
import type { LfsOperation } from "../model.ts";
import type { LfsDeps } from "./deps.ts";
import { looksLikeLfsToken, readLfsToken } from "./token.ts";

/** The caller, as authenticated by the request. */
export interface LfsCaller {
  /** From the usual credentials. */
  readonly actor: Actor;
  readonly authorization: string | undefined;
  readonly remoteAddress: string;
  /** Waits for a place in the lane of reads. */
  readonly enter: (actor: Actor) => Promise<void>;
}

export interface LocatedForLfs {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
}

/** A credential challenge, so that the client prompts or asks its helper. */
const challenge = () => unauthenticated("Unauthorized", { challenge: 'Basic realm="Hearth LFS", charset="UTF-8"' });

/**
 * The repository of an LFS request, with the caller's permission.
 * @throws ForgeError `unauthenticated` with a challenge for callers without permission who may have other credentials; `not_found`,
 * the same for hidden and missing repositories; `forbidden` for uploads to a read-only repository; `throttled` or `unavailable` for downloads,
 * because of load
 */
export async function locateForLfs(deps: LfsDeps, caller: LfsCaller, address: GitAddress, operation: LfsOperation): Promise<LocatedForLfs> {
  const { actor, repoId } = await identify(deps, caller, operation);
  if (actor.kind === "anonymous" && deps.config.server.sign_in_required) throw challenge();
  // An upload would hold a place for as long as the client sends.
  if (operation === "download") await caller.enter(actor);
  const found = await findAtAnyAddress(deps, address.owner, repositoryName(address), actor);
  const isReadable =
    found !== undefined && atLeast(found.repository.right.unit("repo.code"), "read") && (repoId ?? found.repository.id) === found.repository.id;
  if (!isReadable) throw actor.kind === "anonymous" ? challenge() : notFound("Not Found");
  const { repository } = found;
  if (operation === "upload" && !atLeast(repository.right.unit("repo.code"), "write")) throw challenge();
  requireUsable(repository, operation === "upload" ? "git-receive-pack" : "git-upload-pack");
  return { actor, repository };
}

async function identify(
  deps: LfsDeps,
  { actor, authorization, remoteAddress }: LfsCaller,
  operation: LfsOperation,
): Promise<{ readonly actor: Actor; readonly repoId: number | undefined }> {
  if (!looksLikeLfsToken(authorization)) {
    if (isUser(actor) && !allowsScope(actor.credential.scopes, "repository", operation === "upload" ? "write" : "read")) throw forbidden("Forbidden");
    return { actor, repoId: undefined };
  }
  const pass = readLfsToken(deps.sealer, authorization, deps.clock.now());
  const holder = pass && (await findKeyHolder(deps, pass.keyId, remoteAddress));
  // An upload token also allows downloads, because clients check for existing objects.
  const isAllowed = pass?.operation === operation || pass?.operation === "upload";
  if (pass === undefined || holder === undefined || !isAllowed) throw challenge();
  return { actor: holder.actor, repoId: pass.repoId };
}
