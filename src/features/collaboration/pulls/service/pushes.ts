import type { Actor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Reader } from "../../../../db/db.ts";
import { branchRights } from "../../../repositories/protections/service/guard.ts";
import { findRepositoriesById } from "../../../repositories/repos/service/find.ts";
import { listFromOwnBranches, listMaintained, listOpenFrom } from "../store/follow.ts";
import { writersAmong } from "./maintain.ts";

/**
 * Branches of a fork that a user without write access may push to: heads of pull requests whose authors can write them and allow maintainer
 * edits, if the user can merge into their bases. One statement if there are none.
 */
export async function branchesToMaintain(deps: { readonly db: Reader }, actor: Actor, head: RepositorySubject): Promise<ReadonlySet<string>> {
  const requested = await listMaintained(deps.db, head.id);
  const writers = await writersAmong(
    deps.db,
    head.id,
    requested.map(({ posterId }) => posterId),
  );
  const pulls = requested.filter(({ posterId }) => posterId !== null && writers.has(posterId));
  if (pulls.length === 0) return new Set();
  const bases = await findRepositoriesById(
    deps,
    pulls.map(({ repoId }) => repoId),
    actor,
  );
  const branches = new Set<string>();
  for (const [repoId, group] of Map.groupBy(pulls, (pull) => pull.repoId)) {
    const base = bases.get(repoId);
    if (base === undefined || !atLeast(base.right.unit("repo.code"), "write")) continue;
    const rights = await branchRights(deps.db, actor, base);
    for (const pull of group) if (rights.on(pull.baseBranch).canMerge) branches.add(pull.headBranch);
  }
  return branches;
}

/** An open pull request with its base repository. */
export interface OpenPull {
  readonly ownerName: string;
  readonly name: string;
  readonly number: number;
}

/** Open pull requests from branches of a repository that the actor can read, by branch. One statement, and another one if some are into other repositories. */
export async function findOpenPulls(
  deps: { readonly db: Reader },
  actor: Actor,
  repository: RepositorySubject,
  branches: readonly string[],
): Promise<ReadonlyMap<string, OpenPull>> {
  const pulls = await listOpenFrom(deps.db, repository.id, branches);
  const elsewhere = pulls.filter(({ repoId }) => repoId !== repository.id).map(({ repoId }) => repoId);
  const others = elsewhere.length === 0 ? undefined : await findRepositoriesById(deps, elsewhere, actor);
  const open = new Map<string, OpenPull>();
  for (const { repoId, headBranch, number } of pulls) {
    const base = repoId === repository.id ? repository : others?.get(repoId);
    if (base === undefined || !atLeast(base.right.unit("repo.pulls"), "read")) continue;
    // One in the repository itself precedes those in others.
    if (base === repository || !open.has(headBranch)) open.set(headBranch, { ownerName: base.ownerName, name: base.name, number });
  }
  return open;
}

/** A pull request with its base repository. */
export interface BranchPull extends OpenPull {
  readonly state: "open" | "merged" | "closed";
}

/**
 * The pull request of each branch of a repository that the actor can read: an open one into the repository or another one, such as the parent of a fork,
 * and otherwise the newest one into the repository. At most three statements.
 */
export async function pullsOfBranches(
  deps: { readonly db: Reader },
  actor: Actor,
  repository: RepositorySubject,
  branches: readonly string[],
): Promise<ReadonlyMap<string, BranchPull>> {
  if (branches.length === 0) return new Map();
  const pulls = atLeast(repository.right.unit("repo.pulls"), "read") ? await listFromOwnBranches(deps.db, repository.id, branches) : [];
  const { ownerName, name } = repository;
  const found = new Map<string, BranchPull>();
  for (const { branch, number, isClosed, isMerged } of pulls)
    found.set(branch, { ownerName, name, number, state: isMerged ? "merged" : isClosed ? "closed" : "open" });
  for (const [branch, open] of await findOpenPulls(deps, actor, repository, branches))
    if (found.get(branch)?.state !== "open") found.set(branch, { ...open, state: "open" });
  return found;
}
