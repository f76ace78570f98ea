import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, type ForgeError, invalid, notFound } from "../../../../core/errors.ts";
import type { Tx } from "../../../../db/db.ts";
import type { Oid } from "../../../../git/types.ts";
import type { MoveInputs } from "../../protections/check-move.ts";
import { moverOf } from "../../protections/service/guard.ts";
import { branchPrefix, tagPrefix } from "../../refs/model.ts";
import { type RefRefusal, type RefUpdate, refusalError } from "../../refs/moves.ts";
import { findRef } from "../../refs/service/read.ts";
import { type RevKind, resolveRev } from "../../refs/service/resolve.ts";
import { describeTips } from "../../refs/service/tips.ts";
import { moveRepositoryRefs } from "../../repos/service/move-refs.ts";
import type { BranchView } from "../model.ts";
import { type BranchDeps, codeStore, loadMoveInputs, requireBranches } from "./deps.ts";
import { getBranch } from "./read.ts";

export interface NewBranch {
  readonly name: string;
  /** The branch, tag or commit to start from; if empty, `fromBranch` applies. */
  readonly fromRev: string;
  /** The branch to start from; if empty, the default branch. */
  readonly fromBranch: string;
}

/**
 * Creates a branch. Operation `repoCreateBranch`.
 * @param also more work in the transaction that creates it
 * @throws ForgeError `not_found` for an unknown start, `conflict` for a name in use, `invalid` for an invalid name, `forbidden` by a protection rule
 */
export async function createBranch(
  deps: BranchDeps,
  actor: UserActor,
  repository: RepositorySubject,
  input: NewBranch,
  also?: (tx: Tx) => Promise<void>,
): Promise<BranchView> {
  requireBranches(repository);
  const store = codeStore(deps, repository);
  const newOid = await findStart(deps, repository, input);
  const updates = await describeTips(store, [{ name: branchPrefix + input.name, oldOid: null, newOid }]);
  const inputs = await loadMoveInputs(deps, repository, updates);
  await deps.db.tx(async (tx) => {
    await addBranch(tx, actor, repository, { name: input.name, updates, inputs });
    await also?.(tx);
  });
  return getBranch(deps, actor, repository, input.name);
}

export interface BranchAddition {
  readonly name: string;
  /** The single ref update that creates the branch. */
  readonly updates: readonly RefUpdate[];
  readonly inputs: ReadonlyMap<string, MoveInputs>;
}

/** Creates a branch within a transaction. @throws ForgeError `conflict` for a name in use, `invalid` for an invalid name, `forbidden` by a protection rule */
export async function addBranch(tx: Tx, actor: UserActor, repository: RepositorySubject, { name, updates, inputs }: BranchAddition): Promise<void> {
  if ((await findRef(tx, repository.codeStoreId, tagPrefix + name)) !== undefined)
    throw conflict("The branch with the same tag already exists.", { reason: "tag_exists" });
  const mover = moverOf(actor, repository);
  const { refused } = await moveRepositoryRefs(tx, { repoId: repository.id, mover, inputs, via: "api", mode: "each", updates });
  for (const refusal of refused) throw explain(refusal);
}

async function findStart(deps: BranchDeps, repository: RepositorySubject, { fromRev, fromBranch }: NewBranch): Promise<Oid> {
  const branchOnly: readonly RevKind[] = ["branch"];
  const [rev, kinds] = fromRev !== "" ? [fromRev, undefined] : [fromBranch === "" ? repository.defaultBranch : fromBranch, branchOnly];
  const start = await resolveRev(deps, codeStore(deps, repository), rev, kinds);
  if (start === undefined) throw notFound("The old branch does not exist", { reason: "target_not_found" });
  return start.commitOid;
}

function explain(refusal: RefRefusal): ForgeError {
  switch (refusal.reason) {
    case "bad_name":
    case "repeated":
      return invalid("[BranchName]: GitRefName", { reason: "invalid_ref_name" });
    case "taken":
      return conflict("The branch with the same name already exists.", { reason: "ref_conflict" });
    case "stale":
      return conflict("The branch already exists.", { reason: "branch_exists" });
    case "protected":
    case "too_many":
      return refusalError(refusal);
  }
}
