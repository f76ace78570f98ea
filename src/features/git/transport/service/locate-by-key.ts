import { setTimeout as delay } from "node:timers/promises";
import type { Actor, DeployKeyActor, UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { Found, RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden, isForgeError, notFound } from "../../../../core/errors.ts";
import { foldName } from "../../../../core/names.ts";
import type { Reader } from "../../../../db/db.ts";
import { findRepository } from "../../../repositories/repos/service/find.ts";
import { type GitTarget, unitOf } from "../git-target.ts";
import { type GitAddress, type GitService, noPushToCreate, readAddress, repositoryName, requireUsable } from "./locate.ts";

export type LocatedByKey = GitTarget & FoundAtAddress;

/** No answer tells sooner than this that there is nothing: looking for a hidden repository and for none takes different times below it. */
const nothingAfterMs = 100;

/**
 * The repository that a key's holder means (wire facts 6.1, SSH). A client that follows no redirects is led to the present address.
 * @throws ForgeError `not_found`, alike in words and time for a missing and a hidden repository; `forbidden`
 */
export async function locateByKey(
  deps: { readonly db: Reader },
  actor: UserActor | DeployKeyActor,
  address: GitAddress,
  service: GitService,
): Promise<LocatedByKey> {
  const notBefore = delay(nothingAfterMs);
  const { name, part } = readAddress(address);
  const located = await findAtAnyAddress(deps, address.owner, name, actor);
  if (located === undefined || !atLeast(located.repository.right.unit(unitOf({ part })), "read")) {
    await notBefore;
    const isOwn = actor.kind === "user" && foldName(actor.name) === foldName(address.owner);
    if (isOwn && service === "git-receive-pack" && located === undefined) throw forbidden(noPushToCreate);
    throw notFound(`Cannot find repository: ${address.owner}/${repositoryName(address)}`);
  }
  requireUsable(located.repository, service);
  return { ...located, part };
}

/** A repository as an address finds it. */
export interface FoundAtAddress {
  readonly repository: RepositorySubject;
  /** It was asked for by a former address. */
  readonly isMoved: boolean;
}

/** A repository by its present or a former address, for clients that follow no redirects. @returns undefined, alike for a hidden and a missing one */
export async function findAtAnyAddress(deps: { readonly db: Reader }, owner: string, name: string, actor: Actor): Promise<FoundAtAddress | undefined> {
  try {
    const found = await findRepository(deps, owner, name, actor);
    if ("subject" in found) return { repository: found.subject, isMoved: false };
    const [presentOwner = "", presentName = ""] = found.movedTo.split("/");
    const present: Found<RepositorySubject> = await findRepository(deps, presentOwner, presentName, actor);
    return "subject" in present ? { repository: present.subject, isMoved: true } : undefined;
  } catch (error) {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  }
}
