import type { UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden, invalid, notFound } from "../../../../core/errors.ts";
import { isAncestor } from "../../../../git/history/log.ts";
import { isValidBranchName } from "../../../../git/objects/ref-names.ts";
import { renameBranchRule } from "../../protections/service/branch-rules.ts";
import { moverOf } from "../../protections/service/guard.ts";
import { branchPrefix } from "../../refs/model.ts";
import { copyOf, deletionOf, refusalError, ruleError } from "../../refs/moves.ts";
import { branchNameOf, findRef, findRefs } from "../../refs/service/read.ts";
import { resolveRev } from "../../refs/service/resolve.ts";
import { describeTips } from "../../refs/service/tips.ts";
import { moveRepositoryRefs, setDefaultBranch } from "../../repos/service/move-refs.ts";
import { isPullTarget } from "../../repos/service/pull-target.ts";
import { type BranchDeps, codeStore, loadMoveInputs, requireBranches } from "./deps.ts";

/**
 * Renames a branch; a renamed default branch stays the default branch. Operation `repoRenameBranch`.
 * @throws ForgeError `not_found`; `invalid` for a name that is in use or invalid; `forbidden` for the default branch and for a protected
 *   branch, unless the actor has admin permission
 */
export async function renameBranch(deps: BranchDeps, actor: UserActor, repository: RepositorySubject, given: string, to: string): Promise<void> {
  requireBranches(repository);
  if (!isValidBranchName(to)) throw invalid("[Name]: GitRefName", { reason: "invalid_ref_name" });
  const inUse = invalid("Cannot rename a branch using the same name or rename to a branch that already exists.", { reason: "branch_exists" });
  const from = await branchNameOf(deps.db, repository.codeStoreId, given);
  if (from === to) throw inUse;
  const [oldName, newName] = [branchPrefix + from, branchPrefix + to];
  await deps.db.tx(async (tx) => {
    const refs = await findRefs(tx, repository.codeStoreId, [oldName, newName]);
    const ref = isValidBranchName(from) ? refs.get(oldName) : undefined;
    if (ref === undefined) throw notFound("Branch doesn't exist.");
    if (refs.has(newName)) throw inUse;
    const updates = [deletionOf(ref), copyOf(ref, newName)];
    const mover = moverOf(actor, repository);
    const { refused, defaultBranch } = await moveRepositoryRefs(tx, { repoId: repository.id, mover, purpose: "rename", via: "api", mode: "each", updates });
    for (const { rule } of refused) throw rule === undefined ? inUse : ruleError(rule);
    await renameBranchRule(tx, repository.id, from, to);
    if (defaultBranch !== from) return;
    if (!atLeast(repository.right.mode, "admin")) throw forbidden("User must be a repo or site admin to rename default or protected branches.");
    await setDefaultBranch(tx, repository.id, to);
  });
}

export interface BranchTarget {
  /** The new target. */
  readonly newRev: string;
  /** The target that the caller expects at present; empty skips the check. */
  readonly oldRev: string;
  /** Permits an update that is not a fast-forward. */
  readonly isForced: boolean;
}

/**
 * Moves a branch to another commit. Operation `repoUpdateBranch`.
 * @throws ForgeError `not_found` for an unknown branch; `invalid` for an unknown commit, if the branch is not at the expected commit, and for an
 *   update that is neither a fast-forward nor forced; `conflict` if the branch moves concurrently; `forbidden` by a protection rule
 */
export async function updateBranch(deps: BranchDeps, actor: UserActor, repository: RepositorySubject, given: string, target: BranchTarget): Promise<void> {
  requireBranches(repository);
  const name = await branchNameOf(deps.db, repository.codeStoreId, given);
  const store = codeStore(deps, repository);
  const ref = isValidBranchName(name) ? await findRef(deps.db, repository.codeStoreId, branchPrefix + name) : undefined;
  if (ref === undefined) throw notFound("not found", { details: [`branch does not exist [name: ${name}]`] });
  const [goal, expected] = await Promise.all([
    resolveRev(deps, store, target.newRev),
    target.oldRev === "" ? undefined : resolveRev(deps, store, target.oldRev),
  ]);
  if (goal === undefined) throw invalid(`object does not exist [id: ${target.newRev}, rel_path: ]`);
  if (target.oldRev !== "" && expected?.commitOid !== ref.oid) throw invalid(`branch commit does not match [expected: ${target.oldRev}, given: ${ref.oid}]`);
  if (!target.isForced && !(await isAncestor(store, ref.oid, goal.commitOid))) throw invalid(`Force push ${name} need a confirm force parameter`);
  const updates = await describeTips(store, [{ name: ref.name, oldOid: ref.oid, newOid: goal.commitOid }]);
  const inputs = await loadMoveInputs(deps, repository, updates);
  await deps.db.tx((tx) => moveRepositoryRefs(tx, { repoId: repository.id, mover: moverOf(actor, repository), inputs, via: "api", mode: "all", updates }));
}

/**
 * Deletes a branch. Operation `repoDeleteBranch`.
 * @throws ForgeError `not_found`; `forbidden` for the default branch, the base branch of an open pull request, and a protected branch
 */
export async function deleteBranch(deps: BranchDeps, actor: UserActor, repository: RepositorySubject, given: string): Promise<void> {
  requireBranches(repository);
  await deps.db.tx(async (tx) => {
    const name = await branchNameOf(tx, repository.codeStoreId, given);
    const ref = isValidBranchName(name) ? await findRef(tx, repository.codeStoreId, branchPrefix + name) : undefined;
    if (ref === undefined) throw notFound("not found", { details: [`branch does not exist [name: ${name}]`] });
    if (await isPullTarget(tx, repository.id, name)) throw forbidden("can not delete default or pull request target branch");
    const move = { repoId: repository.id, mover: moverOf(actor, repository), via: "api", mode: "each", updates: [deletionOf(ref)] } as const;
    const { defaultBranch, refused } = await moveRepositoryRefs(tx, move);
    if (defaultBranch === name) throw forbidden("can not delete default or pull request target branch");
    for (const refusal of refused) throw refusal.reason === "protected" ? forbidden("branch protected", { reason: "branch_protected" }) : refusalError(refusal);
  });
}
