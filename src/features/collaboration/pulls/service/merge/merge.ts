import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { conflict, isForgeError, locked, notFound, refused } from "../../../../../core/errors.ts";
import type { Tx } from "../../../../../db/db.ts";
import { type WriteReceipt, writeObjects } from "../../../../../git/objects/write.ts";
import { branchRights, moverOf } from "../../../../repositories/protections/service/guard.ts";
import { branchPrefix } from "../../../../repositories/refs/model.ts";
import { findRepositoryById } from "../../../../repositories/repos/service/find.ts";
import { moveRepositoryRefs } from "../../../../repositories/repos/service/move-refs.ts";
import { getSettings } from "../../../../repositories/repos/service/settings.ts";
import type { RepositorySettings } from "../../../../repositories/repos/settings.ts";
import { isDraftTitle } from "../../../issues/draft.ts";
import { waiting, waitsForOthers } from "../../../issues/service/set-state.ts";
import type { FoundPull, PullCheck } from "../../model.ts";
import { computeCheck, presentCheck } from "../checks.ts";
import type { PullDeps } from "../deps.ts";
import { findPull } from "../find.ts";
import { storeWithHead } from "../heads.ts";
import { type BuiltMerge, type BuiltStyle, buildMerge } from "./build.ts";
import { type ContainedPull, findBroughtAlong, settleContained } from "./contained.ts";
import { deleteHead, findHeadRepository } from "./head-branch.ts";
import { composeMessage } from "./message.ts";
import type { MergeRequest } from "./request.ts";
import { loadMergeInputs, type MergeInputs, mayForce, unmetRequirement } from "./requirements.ts";
import { settleMerged } from "./settle.ts";

const notAllowed = "User not allowed to merge PR";
/** The base can move during the merge. */
const maxAttempts = 20;

/**
 * Merges a pull request: stores objects, then moves the base and writes everything else in one transaction. The result is definite:
 * merged, or the reason why not.
 * @throws ForgeError `not_found`, also for a closed one; `refused` if it is already merged, for unauthorized callers, conflicts and unmet
 * rules of the base branch; `conflict` if the head is not the one that the caller has seen, or the base cannot be fast-forwarded
 */
export async function mergePull(
  deps: PullDeps,
  actor: UserActor,
  repository: RepositorySubject,
  number: string | number,
  request: MergeRequest,
  signal?: AbortSignal,
): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const pull = await findPull(deps, repository, number);
    if (await tryMerge(deps, actor, repository, pull, request, signal)) return;
  }
  throw conflict("the branches change faster than they can be merged: try again");
}

/** @throws ForgeError if the pull request cannot be merged in its state, or not by the caller */
export async function requireMergeable(deps: PullDeps, actor: UserActor, repository: RepositorySubject, pull: FoundPull): Promise<void> {
  if (pull.merged !== null) throw refused("The PR is already merged");
  if (pull.isClosed) throw notFound();
  const { canMerge } = (await branchRights(deps.db, actor, repository))(pull.baseBranch);
  if (!canMerge) throw refused(notAllowed);
  if (isDraftTitle(pull.issue.title)) throw refused("Work in progress PRs cannot be merged");
}

/** Whether a repository allows a merge style. */
export const allowed: Readonly<Record<BuiltStyle, (settings: RepositorySettings) => boolean>> = {
  merge: (settings) => settings.allowMergeCommits,
  rebase: (settings) => settings.allowRebase,
  "rebase-merge": (settings) => settings.allowRebaseExplicit,
  squash: (settings) => settings.allowSquashMerge,
  "fast-forward-only": (settings) => settings.allowFastForwardOnlyMerge,
};

/** Input of the transaction, prepared before it. */
interface ReadyMerge {
  readonly request: MergeRequest;
  readonly check: PullCheck;
  readonly facts: MergeInputs;
  readonly built: BuiltMerge;
  readonly receipt: WriteReceipt;
  /** Other pull requests whose heads this merge contains. */
  readonly contained: readonly ContainedPull[];
  /** Set if the merge deletes the head branch. */
  readonly headRepository: RepositorySubject | undefined;
}

/** @returns false if the base or the head has moved */
async function tryMerge(
  deps: PullDeps,
  actor: UserActor,
  repository: RepositorySubject,
  pull: FoundPull,
  request: MergeRequest,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  await requireMergeable(deps, actor, repository, pull);
  const { style } = request;
  const baseOid = pull.baseTipOid;
  if (baseOid === null) throw refused(`the base branch ${pull.baseBranch} has been deleted`);
  const store = await storeWithHead(deps, repository, pull, signal);
  const check = presentCheck(pull) ?? (await computeCheck(store, baseOid, pull.headOid, signal));
  if (check.isEmpty) throw refused("the base branch already has all commits of the head");
  const { rule } = (await branchRights(deps.db, actor, repository))(pull.baseBranch);
  const facts = await loadMergeInputs(deps, rule, { store, check, style });
  if (!(request.isForced && mayForce(repository, rule))) {
    const unmet = await unmetRequirement(deps, deps.db, pull, rule, check, facts);
    if (unmet !== undefined) throw refused(unmet, { meta: { reason: "rules" } });
  }
  const settings = await getSettings(deps, repository.id);
  if (!allowed[style](settings)) throw refused(`${style} is not allowed an allowed merge style for this repository`);
  if (request.expectedHeadOid !== "" && request.expectedHeadOid !== pull.headOid) throw conflict("head out of date");
  const words = await composeMessage(deps, actor, repository, pull, request);
  const built = await buildMerge(store, { ...words, style, baseOid, headOid: pull.headOid, mergeBaseOid: check.mergeBaseOid, signal });
  const receipt = await writeObjects(store, built.objects);
  const move = { name: branchPrefix + pull.baseBranch, oldOid: baseOid, newOid: built.tip.oid };
  const contained = settings.autodetectManualMerge ? await findBroughtAlong(deps, repository, store, move, pull.number) : [];
  const deletesBranch = (request.deletesBranch ?? settings.defaultDeleteBranchAfterMerge) && pull.flow === "branch" && pull.headTipOid !== null;
  const headRepository = deletesBranch ? await findHeadRepository(deps, actor, repository, pull) : undefined;
  return deps.db.tx((tx) => commitMerge(tx, deps, actor, repository, pull, { request, check, facts, built, receipt, contained, headRepository }));
}

async function commitMerge(tx: Tx, deps: PullDeps, actor: UserActor, known: RepositorySubject, seen: FoundPull, ready: ReadyMerge): Promise<boolean> {
  const { request, check, facts, built, receipt } = ready;
  // With current rights: they may have been revoked while the merge was prepared.
  const repository = await findRepositoryById({ db: tx }, known.id, actor);
  if (repository.isArchived) throw locked(`${repository.fullName} is archived`);
  const pull = await findPull({ db: tx }, repository, seen.number);
  if (pull.merged !== null) throw refused("The PR is already merged");
  if (pull.isClosed) throw notFound();
  if (pull.headOid !== check.headOid || pull.baseTipOid !== check.baseOid || pull.baseBranch !== seen.baseBranch) return false;
  const { rule, canMerge } = (await branchRights(tx, actor, repository))(pull.baseBranch);
  if (!canMerge) throw refused(notAllowed);
  const isForced = request.isForced && mayForce(repository, rule);
  const unmet = isForced ? undefined : await unmetRequirement(deps, tx, pull, rule, check, facts);
  if (unmet !== undefined) throw refused(unmet, { meta: { reason: "rules" } });
  if (await waitsForOthers(tx, pull.issueId)) throw refused(waiting);
  const tip = { newOid: built.tip.oid, type: "commit", peeledOid: "", tipMs: built.tip.committer.seconds * 1000 } as const;
  const update = { name: branchPrefix + pull.baseBranch, oldOid: check.baseOid, ...tip };
  const move = { repoId: repository.id, mover: moverOf(actor, repository), purpose: "merge", via: "api", mode: "each", updates: [update], receipt } as const;
  const [refusal] = (await moveRepositoryRefs(tx, move)).refused;
  if (refusal !== undefined) throw refused(notAllowed, { meta: { rule: refusal.rule, reason: refusal.reason } });
  const deletedBranch = await deleteHead(tx, actor, repository, pull, ready.headRepository);
  await settleMerged(tx, actor, repository, pull, {
    style: request.style,
    baseOid: check.baseOid,
    mergeBaseOid: check.mergeBaseOid,
    commitOid: built.tip.oid,
    isByPush: false,
    deletedBranch,
  });
  await settleContained(tx, actor, repository, ready.contained, [update]);
  return true;
}

/** Whether an error is about unmet rules, which can be met later. */
export const isAboutRules = (error: unknown): boolean => isForgeError(error, "refused") && error.options.meta?.reason === "rules";
