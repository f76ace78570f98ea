import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { type Author, recordEvent } from "../../../../events/events.ts";
import { listOwnedIds, tombstoneRepositories } from "../store/delete.ts";
import { requireRepositoryOwner } from "./require.ts";

/**
 * Deletes a repository: it is hidden immediately and its name is free. Its objects are deleted after the retention period.
 * @throws ForgeError `forbidden` for users who do not own it, `not_found` if it is already deleted
 */
export async function deleteRepository(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject): Promise<void> {
  requireRepositoryOwner(repository);
  await deps.db.tx(async (tx) => {
    const deleted = await deleteInTransaction(tx, [repository.id], actor);
    if (deleted === 0) throw notFound();
  });
}

/** Deletes all repositories of an account, within the transaction that deletes the account. */
export async function deleteOwnedRepositories(tx: Tx, ownerId: number, by: Author): Promise<void> {
  await deleteInTransaction(tx, await listOwnedIds(tx, ownerId), by);
}

async function deleteInTransaction(tx: Tx, ids: readonly number[], by: Author): Promise<number> {
  // The operator has no account.
  const deleted = await tombstoneRepositories(tx, ids, by.id || null);
  for (const { id, name, ownerId, ownerName } of deleted) {
    await recordEvent(tx, "repo.deleted", { repoId: id, name, ownerId, ownerName }, { repoId: id, by });
  }
  return deleted.length;
}
