import type { UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { conflict, locked, malformed, notFound } from "../../../../core/errors.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Reader } from "../../../../db/db.ts";
import { countCommits, mergeBases } from "../../../../git/history/log.ts";
import { nearMergeBases } from "../../../../git/history/merge-bases.ts";
import { openWorkbench } from "../../../../git/merge/workbench.ts";
import { newCommit, type SignObject } from "../../../../git/objects/format.ts";
import { type WriteReceipt, writeObjects } from "../../../../git/objects/write.ts";
import { copyObjectsFrom } from "../../../../git/receive/copy-objects.ts";
import type { Oid } from "../../../../git/types.ts";
import { findUnverified } from "../../../accounts/keys/service/unverified.ts";
import { gitIdentity } from "../../../accounts/users/git-identity.ts";
import { type BranchDeps, codeStore } from "../../branches/service/deps.ts";
import { collectProtectionInputs, moverOf } from "../../protections/service/guard.ts";
import { branchPrefix, type RefView, shortName } from "../../refs/model.ts";
import { refusalError } from "../../refs/moves.ts";
import { branchNameOf, findRef, findRefs, refTips } from "../../refs/service/read.ts";
import { describeTips } from "../../refs/service/tips.ts";
import { findRepositoryById } from "../../repos/service/find.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import { moveRepositoryRefs } from "../../repos/service/move-refs.ts";

export interface MergeUpstreamDeps extends BranchDeps {
  readonly clock: Clock;
  readonly urls: Urls;
  readonly commitSigner: { readonly sign: SignObject } | undefined;
}

export interface UpstreamMerge {
  readonly kind: "fast-forward" | "up-to-date" | "merge";
  /** The head of the branch before. */
  readonly formerOid: Oid;
  readonly upstreamOid: Oid;
}

export interface UpstreamQuery {
  readonly branch: string;
  readonly isFastForwardOnly: boolean;
}

/** Attempts in the presence of concurrent pushes. */
const maxAttempts = 5;

/**
 * Merges into a branch of a fork the parent's branch of the same name, or its default branch if there is none.
 * Operation `repoMergeUpstream`.
 * @throws ForgeError `malformed` for a repository that is not a fork and for conflicts, `not_found` for an unknown branch and for a parent whose
 *   code the caller cannot read
 */
export async function mergeUpstream(deps: MergeUpstreamDeps, actor: UserActor, fork: RepositorySubject, input: UpstreamQuery): Promise<UpstreamMerge> {
  const parent = await findParent(deps, actor, fork);
  const branch = input.branch === "" ? fork.defaultBranch : await branchNameOf(deps.db, fork.codeStoreId, input.branch);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const outcome = await tryMerge(deps, { actor, fork, parent, branch, isFastForwardOnly: input.isFastForwardOnly });
    if (outcome !== undefined) return outcome;
  }
  throw conflict("the branch changes faster than it can be merged: try again", { reason: "busy" });
}

/**
 * Merges the parent's branch into a branch of a fork.
 * @returns the number of new commits of the parent
 * @throws ForgeError as {@link mergeUpstream}, and `locked` for an archived fork
 */
export async function syncFork(deps: MergeUpstreamDeps, actor: UserActor, fork: RepositorySubject, branch: string): Promise<number> {
  if (fork.isArchived) throw locked(`${fork.fullName} is archived`, { reason: "repository_archived" });
  const { formerOid, upstreamOid } = await mergeUpstream(deps, actor, fork, { branch, isFastForwardOnly: false });
  return countCommits(codeStore(deps, fork), { tipOids: [upstreamOid], notOids: [formerOid] });
}

async function findParent(deps: BranchDeps, actor: UserActor, fork: RepositorySubject): Promise<RepositorySubject> {
  const { isFork, parent } = await getRepository(deps, actor, fork.id);
  if (!isFork) throw malformed("repo is not a fork");
  if (parent === undefined) throw notFound();
  const subject = await findRepositoryById(deps, parent.id, actor);
  if (!atLeast(subject.right.unit("repo.code"), "read")) throw notFound();
  return subject;
}

interface Attempt {
  readonly actor: UserActor;
  readonly fork: RepositorySubject;
  readonly parent: RepositorySubject;
  readonly branch: string;
  readonly isFastForwardOnly: boolean;
}

/** Undefined if the branch moved concurrently. */
async function tryMerge(deps: MergeUpstreamDeps, attempt: Attempt): Promise<UpstreamMerge | undefined> {
  const { fork, parent, branch } = attempt;
  const name = branchPrefix + branch;
  const ours = await findRef(deps.db, fork.codeStoreId, name);
  if (ours === undefined) throw missingBranch(fork, branch);
  const theirs = await upstreamOf(deps, parent, name);
  if (theirs === undefined) throw missingBranch(parent, parent.defaultBranch);
  const store = codeStore(deps, fork);
  const knownOids = refTips(deps.db, store);
  const borrowed = await copyObjectsFrom(codeStore(deps, parent), store, { tipOids: [theirs.oid], knownOids });
  const baseOids = (await nearMergeBases(store, ours.oid, theirs.oid)) ?? (await mergeBases(store, ours.oid, theirs.oid));
  const oids = { formerOid: ours.oid, upstreamOid: theirs.oid };
  if (baseOids.includes(theirs.oid)) return { kind: "up-to-date", ...oids };
  if (baseOids.includes(ours.oid)) return (await move(deps, attempt, { ours, newOid: theirs.oid, receipt: borrowed })) && { kind: "fast-forward", ...oids };
  if (attempt.isFastForwardOnly) throw malformed("the branch has commits that its upstream lacks: it cannot be fast-forwarded", { reason: "not_fast_forward" });
  const made = await commitMerge(deps, attempt, ours, theirs);
  const receipt = { sizeBytes: borrowed.sizeBytes + made.receipt.sizeBytes };
  return (await move(deps, attempt, { ours, newOid: made.oid, receipt })) && { kind: "merge", ...oids };
}

const missingBranch = (repository: RepositorySubject, branch: string) => notFound(`branch does not exist [repo_id: ${repository.id} name: ${branch}]`);

/** The branch of the parent that a branch of the fork follows. @param name full name */
export async function upstreamOf(deps: { readonly db: Reader }, parent: RepositorySubject, name: string): Promise<RefView | undefined> {
  const fallback = branchPrefix + parent.defaultBranch;
  const refs = await findRefs(deps.db, parent.codeStoreId, [name, fallback]);
  return refs.get(name) ?? refs.get(fallback);
}

async function commitMerge(
  deps: MergeUpstreamDeps,
  { actor, fork, parent }: Attempt,
  ours: RefView,
  theirs: RefView,
): Promise<{ readonly oid: Oid; readonly receipt: WriteReceipt }> {
  const store = codeStore(deps, fork);
  await using bench = openWorkbench(store);
  const merged = await bench.mergeCommits(ours.oid, theirs.oid);
  if (merged.kind !== "clean") throw malformed("the branch and its upstream cannot be merged without conflicts", { reason: "merge_conflict" });
  const signature = { ...gitIdentity(actor, deps.urls), seconds: Math.floor(deps.clock.now() / 1000), offsetMinutes: 0 };
  const message = `Merge branch '${shortName(theirs.name)}' of ${parent.fullName} into ${shortName(ours.name)}\n`;
  const commit = { treeOid: merged.treeOid, parentOids: [ours.oid, theirs.oid], author: signature, committer: signature, message };
  const oid = bench.add(newCommit(store.format, commit, deps.commitSigner?.sign));
  return { oid, receipt: await writeObjects(store, bench.objects()) };
}

interface UpstreamMove {
  readonly ours: RefView;
  readonly newOid: Oid;
  readonly receipt: WriteReceipt;
}

/** @returns undefined if the branch moved concurrently */
async function move(deps: MergeUpstreamDeps, { actor, fork }: Attempt, { ours, newOid, receipt }: UpstreamMove): Promise<true | undefined> {
  const store = codeStore(deps, fork);
  const updates = await describeTips(store, [{ name: ours.name, oldOid: ours.oid, newOid }]);
  const inputs = await collectProtectionInputs(deps, store, {
    repoId: fork.id,
    moves: updates,
    knownOids: async () => [ours.oid],
    findUnverified: (at, oids) => findUnverified(deps, at, oids),
  });
  const mover = moverOf(actor, fork);
  const { refused } = await deps.db.tx((tx) => moveRepositoryRefs(tx, { repoId: fork.id, mover, inputs, via: "api", mode: "each", updates, receipt }));
  const [refusal] = refused;
  if (refusal === undefined) return true;
  if (refusal.reason === "stale") return undefined;
  throw refusalError(refusal);
}
