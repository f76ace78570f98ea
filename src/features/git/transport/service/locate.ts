import { type Actor, anonymous, isUser } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import { allowsScope } from "../../../../access/scopes.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { basicChallenge, forbidden, isForgeError, notFound, unauthenticated } from "../../../../core/errors.ts";
import { foldName } from "../../../../core/names.ts";
import type { Reader } from "../../../../db/db.ts";
import { findRepository } from "../../../repositories/repos/service/find.ts";
import { type GitTarget, unitOf } from "../git-target.ts";

export type GitService = "git-upload-pack" | "git-receive-pack";

export const isGitService = (text: string): text is GitService => text === "git-upload-pack" || text === "git-receive-pack";

/** A credential challenge, so that the client prompts or asks its helper. */
const challenge = () => unauthenticated("Unauthorized", { challenge: basicChallenge });

export interface GitAddress {
  readonly owner: string;
  /** With or without `.git`. */
  readonly repo: string;
}

export const repositoryName = ({ repo }: GitAddress): string => repo.replace(/\.git$/i, "");

/** The name and part of an address. Repository names cannot have these suffixes. */
export function readAddress(address: GitAddress): { readonly name: string; readonly part: GitTarget["part"] } {
  const name = repositoryName(address);
  return name.toLowerCase().endsWith(wikiEnding) ? { name: name.slice(0, -wikiEnding.length), part: "wiki" } : { name, part: "code" };
}

const wikiEnding = ".wiki";

export type LocatedForGit = GitTarget | { readonly movedTo: string };

/**
 * The repository of a git address for a service (wire facts 6.1). A token without the scope reads as an anonymous caller, so it can
 * still fetch public repositories.
 * @throws ForgeError `unauthenticated` with a challenge, the same for a missing and a hidden repository; `forbidden`; `not_found`
 */
export async function locateForGit(deps: { readonly db: Reader }, actor: Actor, address: GitAddress, service: GitService): Promise<LocatedForGit> {
  const { name, part } = readAddress(address);
  const writes = service === "git-receive-pack";
  // @compat git clients cannot send a code: with a second factor only tokens work (users/api/two-factor.test.ts)
  if (isUser(actor) && actor.credential.hasSecondFactor === true) throw unauthenticated("Failed to authenticate user");
  if (writes && !isUser(actor)) throw challenge();
  const isScoped = !isUser(actor) || allowsScope(actor.credential.scopes, "repository", writes ? "write" : "read");
  if (writes && !isScoped) throw forbidden("Forbidden");
  const checked = isScoped ? actor : anonymous;
  let found: Awaited<ReturnType<typeof findRepository>>;
  try {
    found = await findRepository(deps, address.owner, name, checked);
  } catch (error) {
    if (!isForgeError(error, "not_found")) throw error;
    if (!isUser(actor)) throw challenge();
    if (!isScoped) throw forbidden("Forbidden");
    if (writes && foldName(actor.name) === foldName(address.owner)) throw forbidden(noPushToCreate);
    throw notFound("Repository not found");
  }
  if ("movedTo" in found) return { movedTo: part === "wiki" ? found.movedTo + wikiEnding : found.movedTo };
  const { subject } = found;
  if (!atLeast(subject.right.unit(unitOf({ part })), "read")) throw isUser(actor) ? notFound("Repository not found") : challenge();
  requireUsable(subject, service);
  return { repository: subject, part };
}

/** @throws ForgeError `forbidden` for pushes to a read-only repository */
export function requireUsable({ isMirror, isArchived }: RepositorySubject, service: GitService): void {
  if (service !== "git-receive-pack") return;
  if (isMirror) throw forbidden("mirror repository is read-only");
  if (isArchived) throw forbidden("This repo is archived. You can view files and clone it, but cannot push or open issues/pull-requests.");
}

/** The error for a missing repository in the caller's own namespace. */
export const noPushToCreate = "Push to create is not enabled for users. Create the repository on the website or with the API first, then push again.";
