import type { UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, forbidden, invalid, isForgeError, refused } from "../../../../core/errors.ts";
import { rebase } from "../../../../git/merge/rebase.ts";
import { openWorkbench, type Workbench } from "../../../../git/merge/workbench.ts";
import { type WriteReceipt, writeObjects } from "../../../../git/objects/write.ts";
import { copyObjectsFrom } from "../../../../git/receive/copy-objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { findUnverified } from "../../../accounts/keys/service/unverified.ts";
import { gitIdentity } from "../../../accounts/users/git-identity.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import { branchRights, collectProtectionInputs, moverOf } from "../../../repositories/protections/service/guard.ts";
import { branchPrefix } from "../../../repositories/refs/model.ts";
import { ruleError } from "../../../repositories/refs/moves.ts";
import { refTips } from "../../../repositories/refs/service/read.ts";
import { describeTips } from "../../../repositories/refs/service/tips.ts";
import { findRepositoryById } from "../../../repositories/repos/service/find.ts";
import { moveRepositoryRefs } from "../../../repositories/repos/service/move-refs.ts";
import { getSettings } from "../../../repositories/repos/service/settings.ts";
import type { FoundPull } from "../model.ts";
import { findMergeBase } from "./checks.ts";
import type { PullDeps } from "./deps.ts";
import { findPull } from "./find.ts";
import { writersAmong } from "./maintain.ts";
import { commitsOf } from "./merge/build.ts";

export type UpdateStyle = "merge" | "rebase";

const maxAttempts = 10;
const conflicts = conflict("merge failed because of conflict", { reason: "merge_conflict" });

/**
 * Updates the head branch from its base, by a merge or by rebasing the head. The branch moves as by a push, under the rules of its
 * repository; pull requests from it are updated.
 * @throws ForgeError `not_found`; `invalid` for a closed one; `forbidden`, without a body, for callers who cannot push to the head;
 * `conflict` if the two conflict, or the head is up to date
 */
export async function updateHead(
  deps: PullDeps,
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  style: UpdateStyle,
  signal?: AbortSignal,
): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const pull = await findPull(deps, repository, number);
    if (pull.isClosed) throw invalid("a closed or merged pull request cannot be updated", { reason: "pull_closed" });
    const { headTipOid, baseTipOid } = pull;
    const head = await findPushableHead(deps, actor, repository, pull);
    if (head === undefined) throw forbidden("you cannot push to the head branch", { reason: "head_branch_read_only" });
    if (headTipOid === null || baseTipOid === null) throw invalid("a branch of the pull request has been deleted", { reason: "branch_deleted" });
    if (style === "rebase" && !(await getSettings(deps, repository.id)).allowRebaseUpdate)
      throw forbidden("this repository does not allow updating a head branch by rebase", { reason: "update_by_rebase_not_allowed" });
    const store = await storeWithBase(deps, repository, head, baseTipOid, signal);
    if (await tryUpdate(deps, actor, head, store, { pull, baseOid: baseTipOid, headOid: headTipOid, style, signal })) return;
  }
  throw conflict("the branches change faster than they can be merged: try again", { reason: "busy" });
}

/**
 * The head's repository, if the caller can push to its branch: as its writer, or because the author allows maintainer edits.
 * @returns undefined if they cannot, or the branch is deleted
 */
export async function findPushableHead(
  deps: Pick<PullDeps, "db">,
  actor: UserActor,
  repository: RepositorySubject,
  pull: FoundPull,
): Promise<RepositorySubject | undefined> {
  const { headRepoId, flow } = pull;
  if (headRepoId === null || flow !== "branch") return undefined;
  const head = headRepoId === repository.id ? repository : await findRepositoryById(deps, headRepoId, actor).catch(unlessHidden);
  return head !== undefined && (await mayUpdate(deps, actor, repository, head, pull)) ? head : undefined;
}

function unlessHidden(error: unknown): undefined {
  if (isForgeError(error, "not_found")) return undefined;
  throw error;
}

/** Users who can write the head's repository, and, with maintainer edits by such an author, users who can merge into the base. */
async function mayUpdate(
  deps: Pick<PullDeps, "db">,
  actor: UserActor,
  repository: RepositorySubject,
  head: RepositorySubject,
  pull: FoundPull,
): Promise<boolean> {
  if (head.isArchived || head.isMirror) return false;
  if (atLeast(head.right.unit("repo.code"), "write")) return true;
  if (!pull.allowsMaintainerEdit || head.id === repository.id || !(await branchRights(deps.db, actor, repository)).on(pull.baseBranch).canMerge) return false;
  const { posterId } = pull.issue;
  return posterId !== null && (await writersAmong(deps.db, head.id, [posterId])).has(posterId);
}

/** The head's store with the base's tip copied into it. */
export async function storeWithBase(
  deps: PullDeps,
  base: RepositorySubject,
  head: RepositorySubject,
  baseOid: Oid,
  signal: AbortSignal | undefined,
): Promise<GitStore> {
  const store = codeStore(deps, head);
  if (head.id === base.id) return store;
  const knownOids = refTips(deps.db, store);
  await copyObjectsFrom(codeStore(deps, base), store, { tipOids: [baseOid], knownOids, signal });
  return store;
}

interface Ends {
  readonly pull: FoundPull;
  readonly baseOid: Oid;
  readonly headOid: Oid;
}

interface HeadUpdate extends Ends {
  readonly style: UpdateStyle;
  readonly signal: AbortSignal | undefined;
}

/** @returns false if the head has moved */
async function tryUpdate(deps: PullDeps, actor: UserActor, head: RepositorySubject, store: GitStore, update: HeadUpdate): Promise<boolean> {
  const { pull, baseOid, headOid, style, signal } = update;
  const mergeBaseOid = (await findMergeBase(store, baseOid, headOid, signal)) ?? null;
  if (mergeBaseOid === baseOid) throw conflict("the head already has all commits of the base branch", { reason: "up_to_date" });
  await using bench = openWorkbench(store, signal);
  const newOid = style === "rebase" ? await rebased(deps, actor, store, bench, { ...update, mergeBaseOid }) : await merged(deps, actor, bench, update);
  return await moveHead(deps, actor, head, store, { pull, headOid, newOid, receipt: await writeObjects(store, bench.objects()) });
}

export interface HeadMove {
  readonly pull: FoundPull;
  readonly headOid: Oid;
  readonly newOid: Oid;
  /** Receipt for the written objects. */
  readonly receipt: WriteReceipt;
}

/** Moves the head branch under the rules of its repository. @returns false if it has moved in the meantime */
export async function moveHead(
  deps: PullDeps,
  actor: UserActor,
  head: RepositorySubject,
  store: GitStore,
  { pull, headOid, newOid, receipt }: HeadMove,
): Promise<boolean> {
  const name = branchPrefix + pull.headBranch;
  const updates = await describeTips(store, [{ name, oldOid: headOid, newOid }]);
  const known = { repoId: head.id, moves: updates, knownOids: async () => [headOid] };
  const inputs = await collectProtectionInputs(deps, store, { ...known, findUnverified: (where, oids) => findUnverified(deps, where, oids) });
  const move = { repoId: head.id, mover: moverOf(actor, head), inputs, via: "api", mode: "each", updates, receipt } as const;
  const [refusal] = (await deps.db.tx((tx) => moveRepositoryRefs(tx, move))).refused;
  if (refusal === undefined) return true;
  if (refusal.reason === "stale") return false;
  throw refusal.rule === undefined ? refused("the head branch cannot be moved", { reason: "head_immovable" }) : ruleError(refusal.rule);
}

export const committerOf = (deps: PullDeps, actor: UserActor) => ({
  ...gitIdentity(actor, deps.urls),
  seconds: Math.floor(deps.clock.now() / 1000),
  offsetMinutes: 0,
});

async function merged(deps: PullDeps, actor: UserActor, bench: Workbench, { pull, baseOid, headOid }: Ends): Promise<Oid> {
  const result = await bench.mergeCommits(headOid, baseOid);
  if (result.kind !== "clean") throw conflicts;
  const committer = committerOf(deps, actor);
  const message = `Merge branch '${pull.baseBranch}' into ${pull.headBranch}\n`;
  const commit = { treeOid: result.treeOid, parentOids: [headOid, baseOid], author: committer, committer, message, isVerbatim: true } as const;
  return bench.commit(commit, deps.commitSigner?.sign);
}

async function rebased(deps: PullDeps, actor: UserActor, store: GitStore, bench: Workbench, ends: Ends & { readonly mergeBaseOid: Oid | null }): Promise<Oid> {
  const commits = (await commitsOf(store, ends)).filter(({ parentOids }) => parentOids.length < 2);
  const result = await rebase(bench, { commits, ontoOid: ends.baseOid, committer: committerOf(deps, actor), sign: deps.commitSigner?.sign });
  if (result.kind !== "clean") throw conflicts;
  return result.tipOid;
}
