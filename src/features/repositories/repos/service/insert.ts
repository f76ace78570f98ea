import { isSiteAdmin, limitOf, seesPrivate, type UserActor } from "../../../../access/actor.ts";
import type { Config } from "../../../../config/config.ts";
import { conflict, type ForgeError, forbidden, invalid, notFound } from "../../../../core/errors.ts";
import { isValidRepositoryName, reservedRepositoryName } from "../../../../core/names.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import type { RepoEvent } from "../../../../events/access-events.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { NewOwner } from "../new-repository.ts";
import { administersAll, mayCreateIn, upsertCollaborator } from "../store/collaborators.ts";
import { countOneMore, deleteRedirect, findOwnerState, insertRepository, insertWatch, type NewRepositoryRow } from "../store/rows.ts";

/** Repositories come into being in several ways (made, forked, generated, adopted); what is common to them stands here. */

export interface InsertDeps {
  readonly config: Pick<Config, "repositories">;
}

/**
 * What is known of a wish for a repository without looking at the database.
 * @throws ForgeError `invalid` for a name that none may have, `forbidden` for tokens that may not make it
 */
export function checkRepositoryInput(actor: UserActor, wish: { readonly name: string; readonly isPrivate: boolean }): void {
  checkRepositoryName(wish.name);
  if (wish.isPrivate && !seesPrivate(actor)) throw forbidden("token scope is limited to public repos");
  if (limitOf(actor) !== undefined) throw forbidden("a token that is limited to repositories makes no others");
}

/** @throws ForgeError `invalid` in the words of the wire */
export function checkRepositoryName(name: string): void {
  if (!isValidRepositoryName(name)) throw invalid("[Name]: AlphaDashDot");
  const reserved = reservedRepositoryName(name);
  if (reserved !== undefined) throw invalid(reserved);
}

/** Whether somebody may make repositories in an organization: its owners, and members of teams that let them. */
export const mayMakeIn = async (db: Reader, actor: UserActor, organization: { readonly id: number; readonly isOwner: boolean }): Promise<boolean> =>
  organization.isOwner || (await mayCreateIn(db, organization.id, actor.id));

/** Another repository of the owner has the name. */
export const isNameTaken = (error: unknown): boolean => isUniqueViolation(error, "repositories.owner_id,name_folded");
export const nameTaken = (): ForgeError => conflict("The repository with the same name already exists.");

/**
 * Looks before objects are made whether the owner has place for one more; the transaction looks again.
 * @throws ForgeError `forbidden` at the owner's limit; for a name in use what `taken` makes
 */
export async function checkPlace(
  deps: InsertDeps & { readonly db: Reader },
  actor: UserActor,
  owner: NewOwner,
  name: string,
  taken: () => ForgeError = nameTaken,
): Promise<void> {
  const present = await findOwnerState(deps.db, owner.id, name);
  if (present?.hasName) throw taken();
  if (present !== undefined) checkLimit(deps, actor, owner, { ...present, owned: present.owned + 1 });
}

export interface Insertion {
  readonly actor: UserActor;
  readonly owner: NewOwner;
  readonly repository: Omit<NewRepositoryRow, "ownerId">;
  /** Somebody watches it from the start: its owner, or who makes it for an organization. */
  readonly isWatched: boolean;
}

/**
 * Writes the rows of a new repository, inside the caller's transaction. @returns its id
 * @throws ForgeError `forbidden` at the owner's limit, `not_found` when he is gone; an error that {@link isNameTaken} knows
 */
export async function insertNewRepository(tx: Tx, deps: InsertDeps, { actor, owner, repository, isWatched }: Insertion): Promise<number> {
  const state = await countOneMore(tx, owner.id);
  if (state === undefined) throw notFound();
  checkLimit(deps, actor, owner, state);
  const id = await insertRepository(tx, { ...repository, ownerId: owner.id, isWatched });
  await deleteRedirect(tx, owner.id, repository.name);
  if (isWatched) await insertWatch(tx, id, owner.kind === "user" ? owner.id : actor.id);
  const event = { repoId: id, name: repository.name, ownerId: owner.id, ownerName: owner.name, isPrivate: repository.isPrivate };
  await recordEvent(tx, "repo.created", event, { repoId: id, by: actor });
  if (owner.kind === "organization") await letAdminister(tx, actor, event);
  return id;
}

/** Who makes a repository in an organization administers it, also when no team lets him. */
async function letAdminister(tx: Tx, actor: UserActor, { repoId, name, ownerId, ownerName }: RepoEvent): Promise<void> {
  if (isSiteAdmin(actor) || (await administersAll(tx, ownerId, actor.id))) return;
  await upsertCollaborator(tx, repoId, actor.id, "admin");
  const event = { repoId, name, ownerId, ownerName, memberId: actor.id, memberName: actor.name, mode: "admin" } as const;
  await recordEvent(tx, "collaborator.added", event, { repoId, by: actor });
}

/** @throws ForgeError `forbidden` when the owner has more than he may; administrators make repositories for anybody */
export function checkLimit(deps: InsertDeps, actor: UserActor, owner: NewOwner, state: { readonly owned: number; readonly limit: number }): void {
  const limit = state.limit >= 0 || owner.kind === "organization" ? state.limit : deps.config.repositories.max_per_user;
  if (limit >= 0 && state.owned > limit && !isSiteAdmin(actor)) throw forbidden(`user has reached maximum limit of repositories [limit: ${limit}]`);
}
