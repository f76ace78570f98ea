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

/** The minimum time of a negative response: below it, missing and hidden repositories take different times. */
const nothingAfterMs = 100;

/**
 * The repository for the holder of a key (wire facts 6.1, SSH). Git over SSH has no redirects, so previous addresses are resolved.
 * @throws ForgeError `not_found`, with the same message and timing for a missing and a hidden repository; `forbidden`
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

/** A repository found by its address. */
export interface FoundAtAddress {
  readonly repository: RepositorySubject;
  /** The address is a previous one. */
  readonly isMoved: boolean;
}

/**
 * A repository by its current or a previous address, for clients without redirects.
 * @returns undefined, the same for a hidden and a missing one
 */
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
