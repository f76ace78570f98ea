import type { Actor, UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Reader } from "../../../../db/db.ts";
import { findRepositoryById } from "../../repos/service/find.ts";
import { findForkName, findInNetwork, isSameNetwork } from "../store.ts";
import { type ForkDeps, forkRepository } from "./fork.ts";

/** Whether two repositories are in the same fork network. One statement. */
export const areRelated = (deps: { readonly db: Reader }, oneId: number, otherId: number): Promise<boolean> => isSameNetwork(deps.db, oneId, otherId);

/** The name of an account's direct fork of a repository. One statement. */
export const findDirectFork = (deps: { readonly db: Reader }, repoId: number, ownerId: number): Promise<string | undefined> =>
  findForkName(deps.db, repoId, ownerId);

/** An account's repository in the fork network of another one. Two statements. @throws ForgeError `not_found` if the caller cannot read it */
export async function findForkOf(deps: { readonly db: Reader }, actor: Actor, repoId: number, ownerId: number): Promise<RepositorySubject | undefined> {
  const id = await findInNetwork(deps.db, repoId, ownerId);
  return id === undefined ? undefined : findRepositoryById(deps, id, actor);
}

/** The caller's fork of a repository, which is created if there is none. @throws ForgeError as {@link forkRepository} */
export async function takeOwnFork(deps: ForkDeps, actor: UserActor, repository: RepositorySubject): Promise<RepositorySubject> {
  const present = await findForkOf(deps, actor, repository.id, actor.id);
  if (present !== undefined) return present;
  const { id } = await forkRepository(deps, actor, repository, { name: "", organization: "" });
  return findRepositoryById(deps, id, actor);
}
