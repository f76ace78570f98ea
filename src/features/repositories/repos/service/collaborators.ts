import { isSelf, isSiteAdmin, type UserActor } from "../../../../access/actor.ts";
import { atLeast, evaluateRepositoryRight, type Mode } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { forbidden, invalid, notFound } from "../../../../core/errors.ts";
import { foldName } from "../../../../core/names.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { findAccountView, loadUsersInOrder } from "../../../accounts/users/service/accounts.ts";
import { requireNoBlockBetween } from "../../../accounts/users/service/blocks.ts";
import {
  type CollaboratorMode,
  deleteCollaborator,
  findCollaboratorMode,
  listUserIdsWith,
  loadCollaboratorModes,
  pageCollaboratorIds,
  upsertCollaborator,
} from "../store/collaborators.ts";
import { locateRepositoriesById } from "../store/located.ts";
import { dropOutsiders } from "../store/stars-and-watches.ts";
import { requireRepositoryAdmin } from "./require.ts";
import { asActor } from "./user-rights.ts";

interface ReadDeps {
  readonly db: Reader;
}

export async function listCollaborators(deps: ReadDeps, repository: RepositorySubject, page: Page): Promise<Paged<UserView>> {
  const { items, total } = await pageCollaboratorIds(deps.db, repository.id, page);
  return { items: await loadUsersInOrder(deps, items), total };
}

export interface CollaboratorView {
  readonly user: UserView;
  readonly mode: CollaboratorMode;
}

/** As {@link listCollaborators}, with the permission of each. */
export async function listCollaborations(deps: ReadDeps, repository: RepositorySubject, page: Page): Promise<Paged<CollaboratorView>> {
  const { items, total } = await listCollaborators(deps, repository, page);
  const modesOf = await loadCollaboratorModes(
    deps.db,
    repository.id,
    items.map(({ id }) => id),
  );
  return { items: items.map((user) => ({ user, mode: modesOf.get(user.id) ?? "read" })), total };
}

/** Whether a user is a collaborator; false for an unknown user. */
export async function isCollaborator(deps: ReadDeps, repository: RepositorySubject, name: string): Promise<boolean> {
  const account = await findAccountView(deps, name);
  return account !== undefined && (await findCollaboratorMode(deps.db, repository.id, account.id)) !== undefined;
}

const modes: readonly CollaboratorMode[] = ["read", "write", "admin"];

/**
 * Adds a collaborator or changes their permission.
 * @param permission `read`, `write`, `admin`; null for `write`
 * @throws ForgeError `invalid` for an unknown user or permission, `forbidden` if the user or the owner has blocked the other
 */
export async function putCollaborator(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  name: string,
  permission: string | null,
): Promise<void> {
  requireRepositoryAdmin(repository);
  const mode = permission === null || permission === "" ? "write" : modes.find((one) => one === permission);
  if (mode === undefined) throw invalid(`permission ${JSON.stringify(permission)} is not one of ${modes.join(", ")}`);
  const account = await requireAccount(deps, name);
  // @compat the request succeeds without effect for the owner and for organizations (repos/api/collaborators.test.ts)
  if (account.id === repository.ownerId || account.kind !== "user") return;
  await deps.db.tx(async (tx) => {
    await requireNoBlockBetween({ db: tx }, repository.ownerId, account.id);
    const formerMode = await findCollaboratorMode(tx, repository.id, account.id);
    if (formerMode === mode) return;
    await upsertCollaborator(tx, repository.id, account.id, mode);
    const event = eventOf(repository, account);
    const context = { repoId: repository.id, by: actor };
    if (formerMode === undefined) await recordEvent(tx, "collaborator.added", { ...event, mode }, context);
    else await recordEvent(tx, "collaborator.changed", { ...event, mode, formerMode }, context);
  });
}

/** Removes a collaborator; no effect if the user is not one. @throws ForgeError `invalid` for an unknown user */
export async function removeCollaborator(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, name: string): Promise<void> {
  requireRepositoryAdmin(repository);
  const account = await requireAccount(deps, name);
  await deps.db.tx(async (tx) => {
    if (!(await deleteCollaborator(tx, repository.id, account.id))) return;
    if (repository.isPrivate) await dropOutsiders(tx, repository);
    await recordEvent(tx, "collaborator.removed", eventOf(repository, account), { repoId: repository.id, by: actor });
  });
}

const eventOf = ({ id, name, ownerId, ownerName }: RepositorySubject, account: UserView) => ({
  repoId: id,
  name,
  ownerId,
  ownerName,
  memberId: account.id,
  memberName: account.name,
});

export interface CollaboratorPermission {
  readonly mode: Mode;
  readonly user: UserView;
}

/**
 * The permission of an account on a repository. Administrators can query any account, other users their own.
 * @throws ForgeError `not_found` for an unknown account, `forbidden` for the permission of another account
 */
export async function getPermission(deps: ReadDeps, actor: UserActor, repository: RepositorySubject, name: string): Promise<CollaboratorPermission> {
  const isAdmin = isSiteAdmin(actor) || atLeast(repository.right.mode, "admin");
  if (!isAdmin && foldName(actor.name) !== foldName(name)) {
    throw forbidden("Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own");
  }
  const user = await findAccountView(deps, name);
  if (user === undefined) throw notFound(`user does not exist [uid: 0, name: ${name}]`, { reason: "user_not_found" });
  const located = (await locateRepositoriesById(deps.db, [repository.id], user.id)).get(repository.id);
  if (located === undefined) throw notFound();
  return { mode: isSelf(actor, user.id) ? repository.right.mode : evaluateRepositoryRight(asActor(user), located.rightInput).mode, user };
}

/** Users to whom issues can be assigned: all writers by name, the owner last. */
export async function listAssignees(deps: ReadDeps, repository: RepositorySubject): Promise<readonly UserView[]> {
  return loadUsersInOrder(deps, ownerLast(repository, await listUserIdsWith(deps.db, repository, "write", ["repo.code", "repo.issues", "repo.pulls"])));
}

const ownerLast = ({ ownerId }: RepositorySubject, ids: readonly number[]): readonly number[] =>
  ids.includes(ownerId) ? [...ids.filter((id) => id !== ownerId), ownerId] : ids;

/**
 * Users whose review can be requested: those with explicit access to pull requests, by name, the owner last.
 * @throws ForgeError `forbidden` for callers who are not among them, and in an archived repository
 */
export async function listReviewers(deps: ReadDeps, repository: RepositorySubject): Promise<readonly UserView[]> {
  if (repository.isArchived || !atLeast(repository.right.granted("repo.pulls"), "read")) throw forbidden("doer has no permission to get reviewers");
  return loadUsersInOrder(deps, ownerLast(repository, await listUserIdsWith(deps.db, repository, "read", ["repo.pulls"])));
}

async function requireAccount(deps: ReadDeps, name: string): Promise<UserView> {
  const account = await findAccountView(deps, name);
  if (account === undefined) throw invalid(`user does not exist [uid: 0, name: ${name}]`, { reason: "user_not_found" });
  return account;
}
