import type { UserActor } from "../../../access/actor.ts";
import type { Config } from "../../../config/config.ts";
import { conflict, notFound } from "../../../core/errors.ts";
import type { Page, Paged } from "../../../core/paging.ts";
import type { Db, Reader, Tx } from "../../../db/db.ts";
import { isUniqueViolation } from "../../../db/errors.ts";
import { recordEvent } from "../../../events/events.ts";
import { dropOutsiders } from "../store/audience.ts";
import { type DeletedRow, findDeleted, pageDeleted, purgeRepository, reviveRepository } from "../store/delete.ts";
import { deleteRedirect } from "../store/rows.ts";
import type { DeletedRepositoryView } from "../view.ts";
import { checkRepositoryName, isNameTaken } from "./insert.ts";

/** What administrators do with repositories that were deleted and are not gone yet. */

export interface DeletedDeps {
  readonly db: Db;
  readonly config: Pick<Config, "repositories">;
}

const dayMs = 86_400_000;

/** A page of the deleted repositories, those that were deleted last first. */
export async function listDeletedRepositories(deps: DeletedDeps, page: Page): Promise<Paged<DeletedRepositoryView>> {
  const { items, total } = await pageDeleted(deps.db, page);
  const keptMs = deps.config.repositories.keep_deleted_days * dayMs;
  return { items: items.map((row) => ({ ...row, keptUntilMs: row.deletedMs + keptMs })), total };
}

/**
 * Takes a deletion back: the repository is there again with all it had, forks, stars and redirects included.
 * @param name another name for it; empty: the one it had
 * @throws ForgeError `not_found` when there is no such deleted repository, `conflict` when the name is in use
 */
export async function restoreRepository(deps: { readonly db: Db }, actor: UserActor, id: number, name = ""): Promise<{ readonly fullName: string }> {
  if (name !== "") checkRepositoryName(name);
  return deps.db
    .tx((tx) => restore(tx, actor, id, name))
    .catch((error: unknown) => {
      if (isNameTaken(error)) throw conflict("The repository with the same name already exists.");
      if (isUniqueViolation(error, "repositories.fork_of,owner_id")) throw conflict("its owner has another fork of the same repository");
      throw error;
    });
}

async function restore(tx: Tx, actor: UserActor, id: number, wanted: string): Promise<{ readonly fullName: string }> {
  const deleted = await required(tx, id);
  const name = wanted === "" ? deleted.name : wanted;
  await reviveRepository(tx, deleted, name);
  await deleteRedirect(tx, deleted.ownerId, name);
  // Some may have lost their right to it while it was gone.
  if (deleted.isPrivate) await dropOutsiders(tx, deleted);
  const event = { repoId: id, name, ownerId: deleted.ownerId, ownerName: deleted.ownerName };
  await recordEvent(tx, "repo.restored", event, { repoId: id, by: actor });
  return { fullName: `${deleted.ownerName}/${name}` };
}

async function required(db: Reader, id: number): Promise<DeletedRow> {
  const deleted = await findDeleted(db, id);
  if (deleted === undefined) throw notFound();
  return deleted;
}

/** Makes a deletion final before its days are over; the sweep takes the objects. @throws ForgeError `not_found` */
export async function purgeDeletedRepository(deps: { readonly db: Db }, actor: UserActor, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const { name, ownerId, ownerName } = await required(tx, id);
    await purgeRepository(tx, id);
    await recordEvent(tx, "repo.purged", { repoId: id, name, ownerId, ownerName }, { by: actor });
  });
}
