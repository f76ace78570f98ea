import type { Actor, UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Reader } from "../../../../db/db.ts";
import { findRepositoriesById, findRepositoryById } from "../../repos/service/find.ts";
import { listNewOwners } from "../../repos/service/new-owners.ts";
import { findForksOf, findInNetwork, isSameNetwork } from "../store.ts";
import { type ForkDeps, forkRepository } from "./fork.ts";

/** Whether two repositories are in the same fork network. One statement. */
export const areRelated = (deps: { readonly db: Reader }, oneId: number, otherId: number): Promise<boolean> => isSameNetwork(deps.db, oneId, otherId);

export interface ForkOwners {
  /** The names of the owners for whom the caller can create a fork, the caller first and the owner of the repository last. */
  readonly free: readonly string[];
  /** Forks of the caller and their organizations that they can read. */
  readonly present: readonly RepositorySubject[];
}

/** The possible owners of a new fork, each of which can have one. A constant number of statements. */
export async function offerForkOwners(deps: { readonly db: Reader }, actor: UserActor, repository: RepositorySubject): Promise<ForkOwners> {
  const { organizations, owners } = await listNewOwners(deps, actor);
  const forks = await findForksOf(deps.db, repository.id, [actor.id, ...organizations.map(({ id }) => id)]);
  const taken = new Set(forks.map(({ ownerId }) => ownerId));
  const readable = await findRepositoriesById(
    deps,
    forks.map(({ id }) => id),
    actor,
  );
  const free = owners.filter(({ id }) => !taken.has(id));
  return {
    free: free.toSorted((a, b) => Number(a.id === repository.ownerId) - Number(b.id === repository.ownerId)).map(({ name }) => name),
    present: forks.flatMap(({ id }) => readable.get(id) ?? []),
  };
}

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
