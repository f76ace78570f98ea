import type { UserActor } from "../../../../../access/actor.ts";
import { atLeast } from "../../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { conflict, forbidden, invalid, isForgeError } from "../../../../../core/errors.ts";
import type { Reader, Tx } from "../../../../../db/db.ts";
import { type LoadedProtections, moverOf } from "../../../../repositories/protections/service/guard.ts";
import { branchPrefix } from "../../../../repositories/refs/model.ts";
import { deletionOf } from "../../../../repositories/refs/moves.ts";
import { findRef } from "../../../../repositories/refs/service/read.ts";
import { findRepositoryById } from "../../../../repositories/repos/service/find.ts";
import { moveRepositoryRefs } from "../../../../repositories/repos/service/move-refs.ts";
import { changeIssue } from "../../../issues/service/change.ts";
import type { FoundPull } from "../../model.ts";
import type { PullDeps } from "../deps.ts";
import { findPull } from "../find.ts";
import { retargetChildren } from "../targets.ts";

/** The head's repository, if the caller can delete branches in it. */
export async function findHeadRepository(
  deps: { readonly db: Reader },
  actor: UserActor,
  base: RepositorySubject,
  { headRepoId }: FoundPull,
): Promise<RepositorySubject | undefined> {
  if (headRepoId === null) return undefined;
  const found = headRepoId === base.id ? base : await findRepositoryById(deps, headRepoId, actor).catch(unlessHidden);
  return found !== undefined && !found.isArchived && !found.isMirror && atLeast(found.right.unit("repo.code"), "write") ? found : undefined;
}

function unlessHidden(error: unknown): undefined {
  if (isForgeError(error, "not_found")) return undefined;
  throw error;
}

/**
 * Deletes the head branch if the rules allow it, and retargets pull requests into it to the base. @returns the deleted branch
 * @param protections of the base repository, if the caller has loaded them in this transaction
 */
export async function deleteHead(
  tx: Tx,
  actor: UserActor,
  base: RepositorySubject,
  pull: FoundPull,
  head: RepositorySubject | undefined,
  protections?: LoadedProtections,
): Promise<string | undefined> {
  if (head === undefined || pull.headBranch === head.defaultBranch) return undefined;
  const ref = await findRef(tx, head.codeStoreId, branchPrefix + pull.headBranch);
  if (ref?.oid !== pull.headOid) return undefined;
  const known = head.id === base.id ? protections : undefined;
  const move = { repoId: head.id, mover: moverOf(actor, head), protections: known, via: "api", mode: "each", updates: [deletionOf(ref)] } as const;
  const { moved } = await moveRepositoryRefs(tx, move);
  if (moved.length === 0) return undefined;
  if (head.id === base.id) await retargetChildren(tx, actor.id, base.id, { from: pull.headBranch, to: pull.baseBranch });
  return pull.headBranch;
}

/**
 * Deletes the branch of a merged pull request, as its merge could have done.
 * @throws ForgeError `not_found`; `invalid` if it is not merged; `forbidden` for callers who cannot write to the head's repository;
 * `conflict` if the branch has moved or is deleted, or a rule protects it
 */
export async function deleteMergedHead(deps: Pick<PullDeps, "db">, actor: UserActor, repository: RepositorySubject, number: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const pull = await findPull({ db: tx }, repository, number);
    if (pull.merged === null) throw invalid("the branch can be deleted only after the pull request is merged", { reason: "branch_not_merged" });
    const head = pull.flow === "branch" ? await findHeadRepository({ db: tx }, actor, repository, pull) : undefined;
    if (head === undefined) throw forbidden("you cannot delete the head branch", { reason: "head_branch_read_only" });
    const deleted = await deleteHead(tx, actor, repository, pull, head);
    if (deleted === undefined) throw conflict("the branch has other commits than were merged, or a rule keeps it", { reason: "branch_not_merged" });
    const change = changeIssue(tx, actor.id, pull.issue);
    change.note("delete_branch", { payload: { oldRef: deleted } });
    await change.finish();
  });
}
