import { isSiteAdmin, limitOf, seesPrivate, type UserActor } from "../../../../access/actor.ts";
import type { Config } from "../../../../config/config.ts";
import { conflict, type ForgeError, forbidden, invalid, notFound } from "../../../../core/errors.ts";
import { isValidRepositoryName, reservedRepositoryName } from "../../../../core/names.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import type { RepoEvent } from "../../../../events/access-events.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { NewOwner } from "../new-repository.ts";
import { administersAll, creatableAmong, mayCreateIn, upsertCollaborator } from "../store/collaborators.ts";
import { countOneMore, deleteRedirect, findOwnerState, insertRepository, insertWatch, type NewRepositoryRow } from "../store/rows.ts";

/** Common steps of all ways to create a repository: create, fork, generate, adopt, migrate. */

export interface InsertDeps {
  readonly config: Pick<Config, "repositories">;
}

/**
 * Validates the input for a new repository without the database.
 * @throws ForgeError `invalid` for an invalid name, `forbidden` for tokens without permission
 */
export function checkRepositoryInput(actor: UserActor, request: { readonly name: string; readonly isPrivate: boolean }): void {
  checkRepositoryName(request.name);
  if (request.isPrivate && !seesPrivate(actor)) throw forbidden("token scope is limited to public repos");
  if (limitOf(actor) !== undefined) throw forbidden("a token that is limited to repositories cannot create others");
}

/** @throws ForgeError `invalid` with Gitea's message */
export function checkRepositoryName(name: string): void {
  if (!isValidRepositoryName(name)) throw invalid("[Name]: AlphaDashDot", { reason: name === "" ? "required" : "name_characters" });
  const reserved = reservedRepositoryName(name);
  if (reserved !== undefined) throw invalid(reserved, { reason: "name_reserved" });
}

/** Whether a user can create repositories in an organization: owners, and members of teams with that permission. */
export const mayMakeIn = async (db: Reader, actor: UserActor, organization: { readonly id: number; readonly isOwner: boolean }): Promise<boolean> =>
  organization.isOwner || (await mayCreateIn(db, organization.id, actor.id));

/** Those of some organizations in which a user can create repositories, as in {@link mayMakeIn}. At most one statement. */
export const makeableAmong = async (db: Reader, actor: UserActor, orgIds: readonly number[]): Promise<ReadonlySet<number>> =>
  isSiteAdmin(actor) ? new Set(orgIds) : creatableAmong(db, orgIds, actor.id);

/** Whether the error is a name conflict with another repository of the owner. */
export const isNameTaken = (error: unknown): boolean => isUniqueViolation(error, "repositories.owner_id,name_folded");
export const nameTaken = (): ForgeError => conflict("The repository with the same name already exists.", { reason: "repository_exists" });

/**
 * Checks the name and the owner's limit before objects are created; the transaction checks again.
 * @throws ForgeError `forbidden` if the owner's limit is reached; for a name in use, the error of `taken`
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
  /** The owner, or the creator in an organization, watches it from the start. */
  readonly isWatched: boolean;
}

/**
 * Inserts the rows of a new repository, within the caller's transaction. @returns its id
 * @throws ForgeError `forbidden` if the owner's limit is reached, `not_found` if the owner was deleted; an error for {@link isNameTaken}
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

/** The creator of a repository in an organization becomes its administrator, unless a team grants that already. */
async function letAdminister(tx: Tx, actor: UserActor, { repoId, name, ownerId, ownerName }: RepoEvent): Promise<void> {
  if (isSiteAdmin(actor) || (await administersAll(tx, ownerId, actor.id))) return;
  await upsertCollaborator(tx, repoId, actor.id, "admin");
  const event = { repoId, name, ownerId, ownerName, memberId: actor.id, memberName: actor.name, mode: "admin" } as const;
  await recordEvent(tx, "collaborator.added", event, { repoId, by: actor });
}

/** @throws ForgeError `forbidden` if the owner exceeds the limit; administrators can exceed it for other owners */
export function checkLimit(deps: InsertDeps, actor: UserActor, owner: NewOwner, state: { readonly owned: number; readonly limit: number }): void {
  const limit = state.limit >= 0 || owner.kind === "organization" ? state.limit : deps.config.repositories.max_per_user;
  if (limit >= 0 && state.owned > limit && !isSiteAdmin(actor))
    throw forbidden(`user has reached maximum limit of repositories [limit: ${limit}]`, { reason: { code: "repository_limit", max: limit } });
}
