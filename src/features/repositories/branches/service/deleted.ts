import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { forbidden, invalid, notFound } from "../../../../core/errors.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import type { EventInTransaction, RefUpdateEvent } from "../../../../events/events.ts";
import { isValidBranchName } from "../../../../git/objects/ref-names.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { branchPrefix, shortName } from "../../refs/model.ts";
import { holdCommits, releaseCommits } from "../../refs/service/hidden.ts";
import { describeTips } from "../../refs/service/tips.ts";
import type { BranchView, DeletedBranch, DeletedBranchView } from "../model.ts";
import { findDeleted, forgetBefore, forgetBeyond, forgetDeleted, insertDeleted, listDeleted } from "../store.ts";
import { addBranch } from "./create-branch.ts";
import { type BranchDeps, codeStore, loadMoveInputs } from "./deps.ts";
import { getBranch } from "./read.ts";

/** How long, and how many per repository, deleted branches can be restored. */
const keptMs = 30 * 86_400_000;
const keptBranches = 100;
const batch = 500;

const heldName = ({ id }: DeletedBranch): string => `deleted/${id}`;

/** Keeps the tips of deleted branches, in the transaction that deletes them. A constant number of statements per event. */
export async function keepDeleted(tx: Tx, events: readonly EventInTransaction<"refs.changed">[]): Promise<void> {
  for (const { payload, actorId } of events) {
    const { repoId, storeId, updates, via } = payload;
    // Branches deleted by a mirror's source are not kept.
    const gone = via === "server" ? [] : deletedAmong(updates).slice(-keptBranches);
    if (gone.length === 0) continue;
    const kept = await insertDeleted(
      tx,
      gone.map(({ name, oid }) => ({ repoId, storeId, name, oid, deleterId: actorId, deletedMs: tx.nowMs })),
    );
    await holdCommits(
      tx,
      storeId,
      kept.map((one) => ({ name: heldName(one), oid: one.oid })),
    );
    await letGo(tx, await forgetBeyond(tx, repoId, keptBranches));
  }
}

/** A renamed branch does not count as deleted. */
function deletedAmong(updates: readonly RefUpdateEvent[]): { readonly name: string; readonly oid: string }[] {
  const made = new Set(updates.flatMap(({ name, oldOid, newOid }) => (oldOid === null && newOid !== null && name.startsWith(branchPrefix) ? [newOid] : [])));
  return updates.flatMap(({ name, oldOid, newOid }) =>
    newOid === null && oldOid !== null && name.startsWith(branchPrefix) && !made.has(oldOid) ? [{ name: shortName(name), oid: oldOid }] : [],
  );
}

async function letGo(tx: Tx, forgotten: readonly DeletedBranch[]): Promise<void> {
  for (const [storeId, ones] of Map.groupBy(forgotten, (one) => one.storeId)) await releaseCommits(tx, storeId, ones.map(heldName));
}

/** The branches of a repository that can be restored, latest first, with their deleters. Two statements. */
export async function listDeletedBranches(deps: { readonly db: Reader }, { id }: Pick<RepositorySubject, "id">): Promise<readonly DeletedBranchView[]> {
  const deleted = await listDeleted(deps.db, id);
  const deleters = await loadUsers(deps, [...new Set(deleted.flatMap(({ deleterId }) => deleterId ?? []))]);
  return deleted.map((one) => ({
    ...one,
    untilMs: one.deletedMs + keptMs,
    deleter: one.deleterId === null ? undefined : deleters.get(one.deleterId),
  }));
}

/**
 * Restores a deleted branch, optionally under another name.
 * @throws ForgeError `not_found` if the branch is not kept any more; `conflict` for a name in use, `invalid` for an invalid name, `forbidden` by a
 *   protection rule
 */
export async function restoreBranch(
  deps: BranchDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { id, name = "" }: { readonly id: number; readonly name?: string },
): Promise<BranchView> {
  if (repository.isMirror) throw forbidden("Git Repository is a mirror.", { reason: "repository_mirror" });
  const found = await requireDeleted(deps.db, repository, id);
  const wanted = name === "" ? found.name : name;
  if (!isValidBranchName(wanted)) throw invalid("[Name]: GitRefName", { reason: "invalid_ref_name" });
  const updates = await describeTips(codeStore(deps, repository), [{ name: branchPrefix + wanted, oldOid: null, newOid: found.oid }]);
  const inputs = await loadMoveInputs(deps, repository, updates);
  await deps.db.tx(async (tx) => {
    await forget(tx, await requireDeleted(tx, repository, id));
    await addBranch(tx, actor, repository, { name: wanted, updates, inputs });
  });
  return getBranch(deps, actor, repository, wanted);
}

/** Discards a deleted branch. Objects that become unreachable are removed by the next housekeeping. @throws ForgeError `not_found` */
export const forgetBranch = (deps: { readonly db: Db }, repository: Pick<RepositorySubject, "id">, id: number): Promise<void> =>
  deps.db.tx(async (tx) => forget(tx, await requireDeleted(tx, repository, id)));

async function requireDeleted(db: Reader, { id: repoId }: Pick<RepositorySubject, "id">, id: number): Promise<DeletedBranch> {
  const found = await findDeleted(db, repoId, id);
  if (found === undefined) throw notFound("the deleted branch does not exist or has expired");
  return found;
}

async function forget(tx: Tx, deleted: DeletedBranch): Promise<void> {
  await forgetDeleted(tx, [deleted.id]);
  await letGo(tx, [deleted]);
}

/** Discards expired branches. Runs on a daily schedule. */
export async function pruneDeletedBranches({ db, clock }: { readonly db: Db; readonly clock: Clock }): Promise<void> {
  const beforeMs = clock.now() - keptMs;
  const prune = async (tx: Tx): Promise<number> => {
    const forgotten = await forgetBefore(tx, beforeMs, batch);
    await letGo(tx, forgotten);
    return forgotten.length;
  };
  while ((await db.tx(prune)) === batch);
}
