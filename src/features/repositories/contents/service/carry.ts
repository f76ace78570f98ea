import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { conflict, invalid, notFound, refused } from "../../../../core/errors.ts";
import type { KeyedMutex } from "../../../../core/keyed-mutex.ts";
import { openWorkbench } from "../../../../git/merge/workbench.ts";
import type { SignObject } from "../../../../git/objects/format.ts";
import { readCommit } from "../../../../git/objects/objects.ts";
import { writeObjects } from "../../../../git/objects/write.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid, Signature } from "../../../../git/types.ts";
import { findUnverified } from "../../../accounts/keys/service/unverified.ts";
import { gitIdentity } from "../../../accounts/users/git-identity.ts";
import { type BranchDeps, codeStore, requireBranches } from "../../branches/service/deps.ts";
import { collectProtectionInputs, moverOf } from "../../protections/service/guard.ts";
import { branchKey, branchPrefix } from "../../refs/model.ts";
import { ruleError } from "../../refs/moves.ts";
import { branchNameOf, findRef } from "../../refs/service/read.ts";
import { describeTips } from "../../refs/service/tips.ts";
import { moveRepositoryRefs } from "../../repos/service/move-refs.ts";

export interface CarryDeps extends BranchDeps {
  readonly clock: Clock;
  /** Queues the writers of each branch. */
  readonly branchQueue: KeyedMutex;
  /** Signs commits that users make under their own names; undefined if the server does not sign. */
  readonly commitSigner: { readonly sign: SignObject } | undefined;
}

/** The difference between two commits, to be applied to a branch as one commit. */
export interface CarriedChange {
  /** Undefined for the empty tree. */
  readonly fromOid: Oid | undefined;
  readonly toOid: Oid | undefined;
  readonly branch: string;
  /** A branch to create for the commit; if empty, the commit goes to `branch`. */
  readonly newBranch: string;
  readonly message: string;
  /** Undefined for the actor. */
  readonly author?: Signature | undefined;
}

/** Attempts in the presence of concurrent commits. */
const maxAttempts = 10;

/**
 * Cherry-picks or reverts a commit onto a branch, in memory.
 * @returns the branch with the new commit
 * @throws ForgeError `not_found` for an unknown branch, `refused` if the change conflicts or is already present, `conflict` for a new
 *   branch whose name is in use, `invalid`, `forbidden` by a rule
 */
export async function carryChange(
  deps: CarryDeps,
  actor: UserActor,
  repository: RepositorySubject,
  given: CarriedChange,
  signal?: AbortSignal,
): Promise<string> {
  requireBranches(repository);
  if (given.message.trim() === "") throw invalid("[Message]: Required", { reason: "required" });
  const change = { ...given, branch: await branchNameOf(deps.db, repository.codeStoreId, given.branch) };
  const target = change.newBranch === "" ? change.branch : change.newBranch;
  return deps.branchQueue.run(branchKey(repository.codeStoreId, branchPrefix + target), async () => {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      if (await tryCarry(deps, actor, repository, change, signal)) return target;
    }
    throw conflict("the branch changes faster than this change can be added to it: try again", { reason: "busy" });
  });
}

/** @returns false if the branch moved concurrently */
async function tryCarry(
  deps: CarryDeps,
  actor: UserActor,
  repository: RepositorySubject,
  change: CarriedChange,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const store = codeStore(deps, repository);
  const tip = await findRef(deps.db, store.id, branchPrefix + change.branch);
  if (tip === undefined) throw notFound("the branch does not exist", { reason: "branch_not_found" });
  await using bench = openWorkbench(store, signal);
  const { treeOid: oursOid } = await bench.readCommit(tip.oid);
  const [baseOid, theirsOid] = [await treeOf(store, change.fromOid), await treeOf(store, change.toOid)];
  const merged = await bench.mergeTrees({ baseOid, oursOid, theirsOid: theirsOid ?? "" });
  if (merged.kind !== "clean") throw refused(`the change conflicts with the branch ${change.branch}`, { reason: "change_conflicts" });
  if (merged.treeOid === oursOid) throw refused(`the branch ${change.branch} already has this change`, { reason: "change_present" });
  const committer = { ...gitIdentity(actor, deps.urls), seconds: Math.floor(deps.clock.now() / 1000), offsetMinutes: 0 };
  const commit = { treeOid: merged.treeOid, parentOids: [tip.oid], author: change.author ?? committer, committer, message: `${change.message.trim()}\n` };
  const newOid = bench.commit({ ...commit, isVerbatim: true }, deps.commitSigner?.sign);
  const receipt = await writeObjects(store, bench.objects());
  const isNew = change.newBranch !== "";
  const updates = await describeTips(store, [{ name: branchPrefix + (isNew ? change.newBranch : change.branch), oldOid: isNew ? null : tip.oid, newOid }]);
  const known = { repoId: repository.id, moves: updates, knownOids: async () => [tip.oid] };
  const inputs = await collectProtectionInputs(deps, store, { ...known, findUnverified: (where, oids) => findUnverified(deps, where, oids) });
  const move = { repoId: repository.id, mover: moverOf(actor, repository), inputs, via: "api", mode: "each", updates, receipt } as const;
  const [refusal] = (await deps.db.tx((tx) => moveRepositoryRefs(tx, move))).refused;
  if (refusal === undefined) return true;
  if (refusal.rule !== undefined) throw ruleError(refusal.rule);
  if (refusal.reason === "stale" && !isNew) return false;
  if (refusal.reason === "stale" || refusal.reason === "taken") throw conflict("The branch already exists.", { reason: "branch_exists" });
  throw invalid("[NewBranch]: GitRefName", { reason: "invalid_ref_name" });
}

async function treeOf(store: GitStore, oid: Oid | undefined): Promise<Oid | undefined> {
  if (oid === undefined) return undefined;
  const commit = await readCommit(store, oid);
  if (commit === undefined) throw notFound();
  return commit.treeOid;
}
