import type { UserActor } from "../../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { conflict, refused } from "../../../../../core/errors.ts";
import type { Tx } from "../../../../../db/db.ts";
import { openWorkbench } from "../../../../../git/merge/workbench.ts";
import { type WriteReceipt, writeObjects } from "../../../../../git/objects/write.ts";
import { moverOf } from "../../../../repositories/protections/service/guard.ts";
import { branchPrefix } from "../../../../repositories/refs/model.ts";
import { findRepositoryById } from "../../../../repositories/repos/service/find.ts";
import { moveRepositoryRefs } from "../../../../repositories/repos/service/move-refs.ts";
import { type Requirement, unmet } from "../../mergeability.ts";
import type { FoundPull } from "../../model.ts";
import type { PullDeps } from "../deps.ts";
import { findPull } from "../find.ts";
import { type BuiltMerge, buildMerge } from "./build.ts";
import { type ContainedPull, findBroughtAlong, settleContained } from "./contained.ts";
import { deleteHead, findHeadRepository } from "./head-branch.ts";
import { loadMergeInputs, type MergeContent } from "./merge-inputs.ts";
import { composeMessage } from "./message.ts";
import type { MergeCandidate } from "./preconditions.ts";
import type { MergeRequest } from "./request.ts";
import { binding, evaluateMergeRequirements, refusalOf } from "./requirements.ts";
import { settleMerged } from "./settle.ts";

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
  const [first] = await mergeIfMet(deps, actor, repository, number, request, signal);
  if (first !== undefined) throw refusalOf(first);
}

/**
 * Merges a pull request if all its requirements are met, apart from those that the request bypasses.
 * @returns the unmet requirements; empty if it is merged
 * @throws ForgeError if the branches change too fast, or a commit of a rebase conflicts
 */
export async function mergeIfMet(
  deps: PullDeps,
  actor: UserActor,
  repository: RepositorySubject,
  number: string | number,
  request: MergeRequest,
  signal?: AbortSignal,
): Promise<readonly Requirement[]> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const pull = await findPull(deps, repository, number);
    const missing = await tryMerge(deps, actor, repository, pull, request, signal);
    if (missing !== "moved") return missing;
  }
  throw conflict("the branches change faster than they can be merged: try again", { reason: "busy" });
}

/** Input of the transaction, prepared before it. */
interface ReadyMerge {
  readonly request: MergeRequest;
  readonly content: MergeContent;
  readonly built: BuiltMerge;
  readonly receipt: WriteReceipt;
  /** Other pull requests whose heads this merge contains. */
  readonly contained: readonly ContainedPull[];
  /** Set if the merge deletes the head branch. */
  readonly headRepository: RepositorySubject | undefined;
}

/** @returns `moved` if the base or the head has moved */
async function tryMerge(
  deps: PullDeps,
  actor: UserActor,
  repository: RepositorySubject,
  pull: FoundPull,
  request: MergeRequest,
  signal: AbortSignal | undefined,
): Promise<readonly Requirement[] | "moved"> {
  const { style, expectedHeadOid } = request;
  const inputs = await loadMergeInputs(deps, deps.db, { actor, repository, pull, style, expectedHeadOid }, { signal });
  const missing = unmet(binding(evaluateMergeRequirements(inputs), inputs.candidate, request.isForced));
  const { content, settings } = inputs.known ?? {};
  if (missing.length > 0 || content === undefined || settings === undefined) return content === undefined ? missing : nameConflicts(missing, content, signal);
  const { store, check } = content;
  const words = await composeMessage(deps, actor, repository, pull, request);
  const built = await buildMerge(store, { ...words, style, baseOid: check.baseOid, headOid: pull.headOid, mergeBaseOid: check.mergeBaseOid, signal });
  const receipt = await writeObjects(store, built.objects);
  const move = { name: branchPrefix + pull.baseBranch, oldOid: check.baseOid, newOid: built.tip.oid };
  const contained = settings.autodetectManualMerge ? await findBroughtAlong(deps, repository, store, move, pull.number) : [];
  const deletesBranch = (request.deletesBranch ?? settings.defaultDeleteBranchAfterMerge) && pull.flow === "branch" && pull.headTipOid !== null;
  const headRepository = deletesBranch ? await findHeadRepository(deps, actor, repository, pull) : undefined;
  return deps.db.tx((tx) => commitMerge(tx, deps, actor, repository, pull, { request, content, built, receipt, contained, headRepository }));
}

/** The requirements with the files of conflicts. */
export async function nameConflicts(
  requirements: readonly Requirement[],
  { store, check }: Pick<MergeContent, "store" | "check">,
  signal: AbortSignal | undefined,
): Promise<readonly Requirement[]> {
  if (!requirements.some(({ code, isMet }) => code === "no-conflict" && !isMet)) return requirements;
  await using bench = openWorkbench(store, signal);
  const merged = await bench.mergeCommits(check.baseOid, check.headOid);
  const items = merged.kind === "conflict" ? merged.paths : [];
  return requirements.map((one) => (one.code === "no-conflict" ? { ...one, items } : one));
}

async function commitMerge(
  tx: Tx,
  deps: PullDeps,
  actor: UserActor,
  known: RepositorySubject,
  seen: FoundPull,
  ready: ReadyMerge,
): Promise<readonly Requirement[] | "moved"> {
  const { request, content, built, receipt } = ready;
  const { check } = content;
  // With current rights: they may have been revoked while the merge was prepared.
  const repository = await findRepositoryById({ db: tx }, known.id, actor);
  const pull = await findPull({ db: tx }, repository, seen.number);
  const hasMoved = pull.headOid !== check.headOid || pull.baseTipOid !== check.baseOid || pull.baseBranch !== seen.baseBranch;
  if (hasMoved && pull.merged === null && !pull.isClosed) return "moved";
  const candidate: MergeCandidate = { actor, repository, pull, style: request.style, expectedHeadOid: request.expectedHeadOid };
  const inputs = await loadMergeInputs(deps, tx, candidate, { content });
  const missing = unmet(binding(evaluateMergeRequirements(inputs), inputs.candidate, request.isForced));
  if (missing.length > 0) return missing;
  const { protections } = inputs.rights;
  const tip = { newOid: built.tip.oid, type: "commit", peeledOid: "", tipMs: built.tip.committer.seconds * 1000 } as const;
  const update = { name: branchPrefix + pull.baseBranch, oldOid: check.baseOid, ...tip };
  const mover = moverOf(actor, repository);
  const move = { repoId: repository.id, mover, protections, purpose: "merge", via: "api", mode: "each", updates: [update], receipt } as const;
  const [refusal] = (await moveRepositoryRefs(tx, move)).refused;
  if (refusal !== undefined) throw refused("User not allowed to merge PR", { meta: { rule: refusal.rule?.message, reason: refusal.reason } });
  const deletedBranch = await deleteHead(tx, actor, repository, pull, ready.headRepository, protections);
  await settleMerged(tx, actor, repository, pull, {
    style: request.style,
    baseOid: check.baseOid,
    mergeBaseOid: check.mergeBaseOid,
    commitOid: built.tip.oid,
    isByPush: false,
    isScheduled: request.isScheduled === true,
    deletedBranch,
  });
  await settleContained(tx, actor, repository, ready.contained, [update]);
  return [];
}
