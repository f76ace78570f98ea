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
/** The base can move while the merge is made. */
const maxAttempts = 20;

/**
 * Merges a pull request: objects first, then one transaction in which the base moves and all that follows is written. What a caller is told is
 * so: merged, or why not.
 * @throws ForgeError `not_found`, also for a closed one; `refused` for what is merged already, for callers who may not, for conflicts and for
 *   what the rules of the base branch want; `conflict` where the head is not what the caller has seen, or the base cannot be fast-forwarded
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

/** @throws ForgeError for a pull request that nobody, or not the caller, merges as it stands */
export async function requireMergeable(deps: PullDeps, actor: UserActor, repository: RepositorySubject, pull: FoundPull): Promise<void> {
  if (pull.merged !== null) throw refused("The PR is already merged");
  if (pull.isClosed) throw notFound();
  const { canMerge } = (await branchRights(deps.db, actor, repository))(pull.baseBranch);
  if (!canMerge) throw refused(notAllowed);
  if (isDraftTitle(pull.issue.title)) throw refused("Work in progress PRs cannot be merged");
}

/** Whether a repository merges in a style. */
export const allowed: Readonly<Record<BuiltStyle, (settings: RepositorySettings) => boolean>> = {
  merge: (settings) => settings.allowMergeCommits,
  rebase: (settings) => settings.allowRebase,
  "rebase-merge": (settings) => settings.allowRebaseExplicit,
  squash: (settings) => settings.allowSquashMerge,
  "fast-forward-only": (settings) => settings.allowFastForwardOnlyMerge,
};

/** Everything that was found and made before the transaction. */
interface ReadyMerge {
  readonly request: MergeRequest;
  readonly check: PullCheck;
  readonly facts: MergeInputs;
  readonly built: BuiltMerge;
  readonly receipt: WriteReceipt;
  /** Other pull requests whose heads come into the base with this one. */
  readonly contained: readonly ContainedPull[];
  /** Where the head's branch goes with the merge. */
  readonly headRepository: RepositorySubject | undefined;
}

/** @returns false where the base or the head has moved meanwhile */
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
  if (baseOid === null) throw refused(`the base branch ${pull.baseBranch} is gone`);
  const store = await storeWithHead(deps, repository, pull, signal);
  const check = presentCheck(pull) ?? (await computeCheck(store, baseOid, pull.headOid, signal));
  if (check.isEmpty) throw refused("the base branch has all of the head already");
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
  // With the rights of this moment: what was asked for earlier may have been taken back while the merge was made.
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

/** Whether a refusal is about what the rules want, which may come to be so by itself. */
export const isAboutRules = (error: unknown): boolean => isForgeError(error, "refused") && error.options.meta?.reason === "rules";
