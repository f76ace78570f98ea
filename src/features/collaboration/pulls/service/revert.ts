import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid } from "../../../../core/errors.ts";
import { carryChange } from "../../../repositories/contents/service/carry.ts";
import type { PullDeps } from "./deps.ts";
import { findPull } from "./find.ts";

/**
 * Reverts a merged pull request in one commit on a new branch. Uses the difference that the merge made to the base, so it works for every
 * merge style.
 * @returns the base and the new branch
 * @throws ForgeError `not_found`; `invalid` if it is not merged; as `carryChange` if the branch already exists or later changes conflict
 */
export async function revertPull(
  deps: PullDeps,
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  signal?: AbortSignal,
): Promise<{ readonly base: string; readonly branch: string }> {
  const { merged, baseBranch, issue, number: index } = await findPull(deps, repository, number);
  if (merged === null) throw invalid("only a merged pull request can be reverted", { reason: "not_merged" });
  const message = `Revert "${issue.title}"\n\nThis reverts #${index}.`;
  const change = { fromOid: merged.commitOid, toOid: merged.baseOid, branch: baseBranch, newBranch: `revert-${index}-${baseBranch}`, message };
  return { base: baseBranch, branch: await carryChange(deps, actor, repository, change, signal) };
}
