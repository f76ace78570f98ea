import type { UserActor } from "../../../../access/actor.ts";
import type { Config } from "../../../../config/config.ts";
import { conflict, notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { DeletedRepositoryView } from "../model.ts";
import { type DeletedRow, findDeleted, pageDeleted, purgeRepository, reviveRepository } from "../store/delete.ts";
import { deleteRedirect } from "../store/rows.ts";
import { dropOutsiders } from "../store/stars-and-watches.ts";
import { checkRepositoryName, isNameTaken } from "./insert.ts";

/** Operations on deleted repositories that can be restored, for administrators and owners. */

export interface DeletedDeps {
  readonly db: Db;
  readonly config: Pick<Config, "repositories">;
}

const dayMs = 86_400_000;

/** A page of the deleted repositories, latest first. */
export const listDeletedRepositories = async (deps: DeletedDeps, page: Page): Promise<Paged<DeletedRepositoryView>> =>
  toViews(deps, await pageDeleted(deps.db, page));

/** As {@link listDeletedRepositories}, only those that the caller co-owns and that one of their owners deleted. */
export const listOwnDeleted = async (deps: DeletedDeps, actor: UserActor, page: Page): Promise<Paged<DeletedRepositoryView>> =>
  toViews(deps, await pageDeleted(deps.db, page, actor.id));

function toViews({ config }: DeletedDeps, { items, total }: Paged<DeletedRow>): Paged<DeletedRepositoryView> {
  const keptMs = config.repositories.keep_deleted_days * dayMs;
  return { items: items.map((row) => ({ ...row, keptUntilMs: row.deletedMs + keptMs })), total };
}

/** Whether the caller can restore the repository as an owner. */
export const restoresOwn = async (deps: { readonly db: Reader }, actor: UserActor, id: number): Promise<boolean> =>
  (await findDeleted(deps.db, id, actor.id)) !== undefined;

/**
 * Restores a deleted repository with all its data, including forks, stars and redirects.
 * @param name a new name; empty to keep the old one
 * @throws ForgeError `not_found` for an unknown deleted repository, `conflict` for a name in use
 */
export const restoreRepository = (deps: { readonly db: Db }, actor: UserActor, id: number, name = ""): Promise<RestoredRepository> =>
  restoreFound(deps, (tx) => findDeleted(tx, id), { actor, name });

/**
 * Restores a repository that the caller owns and that an owner deleted: only administrators restore what an administrator deleted.
 * @throws ForgeError as {@link restoreRepository}
 */
export const restoreOwnRepository = (deps: { readonly db: Db }, actor: UserActor, id: number, name = ""): Promise<RestoredRepository> =>
  restoreFound(deps, (tx) => findDeleted(tx, id, actor.id), { actor, name });

export interface RestoredRepository {
  readonly ownerName: string;
  readonly name: string;
  readonly fullName: string;
}

interface Wish {
  readonly actor: UserActor;
  readonly name: string;
}

async function restoreFound(deps: { readonly db: Db }, find: (tx: Tx) => Promise<DeletedRow | undefined>, input: Wish): Promise<RestoredRepository> {
  if (input.name !== "") checkRepositoryName(input.name);
  return deps.db
    .tx(async (tx) => restore(tx, required(await find(tx)), input))
    .catch((error: unknown) => {
      if (isNameTaken(error)) throw conflict("The repository with the same name already exists.", { reason: "repository_exists" });
      if (isUniqueViolation(error, "repositories.fork_of,owner_id"))
        throw conflict("its owner has another fork of the same repository", { reason: "fork_exists" });
      throw error;
    });
}

async function restore(tx: Tx, deleted: DeletedRow, { actor, name: wanted }: Wish): Promise<RestoredRepository> {
  const { id, ownerName } = deleted;
  const name = wanted === "" ? deleted.name : wanted;
  await reviveRepository(tx, deleted, name);
  await deleteRedirect(tx, deleted.ownerId, name);
  // Users can have lost their access while it was deleted.
  if (deleted.isPrivate) await dropOutsiders(tx, deleted);
  const event = { repoId: id, name, ownerId: deleted.ownerId, ownerName };
  await recordEvent(tx, "repo.restored", event, { repoId: id, by: actor });
  return { ownerName, name, fullName: `${ownerName}/${name}` };
}

function required(deleted: DeletedRow | undefined): DeletedRow {
  if (deleted === undefined) throw notFound();
  return deleted;
}

/** Makes a deletion permanent before the retention period ends; the sweep removes the objects. @throws ForgeError `not_found` */
export async function purgeDeletedRepository(deps: { readonly db: Db }, actor: UserActor, id: number): Promise<void> {
  await deps.db.tx(async (tx) => {
    const { name, ownerId, ownerName } = required(await findDeleted(tx, id));
    await purgeRepository(tx, id);
    await recordEvent(tx, "repo.purged", { repoId: id, name, ownerId, ownerName }, { by: actor });
  });
}
