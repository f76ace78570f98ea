import { isSiteAdmin, seesPrivate, type UserActor } from "../../../../access/actor.ts";
import type { AccountSubject, OrganizationSubject } from "../../../../access/subjects.ts";
import { changesBetween } from "../../../../core/changes.ts";
import type { Clock } from "../../../../core/clock.ts";
import { forbidden, invalid, notFound } from "../../../../core/errors.ts";
import { isValidEmail } from "../../../../core/names.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { isForeignKeyViolation } from "../../../../db/errors.ts";
import { type Author, recordEvent } from "../../../../events/events.ts";
import { checkAccountName, insertOrganizationAccount, nameInUse, removeAccount, renameUser } from "../../../accounts/users/service/accounts.ts";
import { updateOrganizationAccount } from "../../../accounts/users/service/organization-account.ts";
import type { OrganizationView } from "../model.ts";
import {
  countRepositories,
  deleteMemberships,
  insertOwnersTeam,
  listSolelyOwned,
  loadOrganization,
  loadOrganizationsById,
  mayCreateOrganizations,
} from "../store.ts";

export interface OrganizationDeps {
  readonly db: Db;
  readonly clock: Clock;
}

export interface NewOrganizationInput {
  readonly name: string;
  readonly fullName: string;
  readonly email: string;
  readonly description: string;
  readonly website: string;
  readonly location: string;
  readonly visibility: OrganizationView["visibility"];
  readonly repoAdminChangeTeamAccess: boolean;
}

/** Changes to an organization; null fields stay unchanged. */
export type OrganizationEdit = { readonly [Name in Exclude<keyof NewOrganizationInput, "name">]: NewOrganizationInput[Name] | null };

export async function getOrganization(deps: { readonly db: Reader }, id: number): Promise<OrganizationView> {
  const view = await loadOrganization(deps.db, id);
  if (view === undefined) throw notFound();
  return view;
}

/** Organizations by id. One statement for any number. */
export const loadOrganizations = (deps: { readonly db: Reader }, ids: readonly number[]): Promise<ReadonlyMap<number, OrganizationView>> =>
  loadOrganizationsById(deps.db, ids);

/**
 * Creates an organization and its owners' team with `owner` as the first member.
 * @throws ForgeError `invalid` for an invalid name or one in use, `forbidden` for users who may not create organizations
 */
export async function createOrganization(
  deps: OrganizationDeps,
  actor: UserActor,
  owner: Pick<AccountSubject, "id" | "kind">,
  input: NewOrganizationInput,
): Promise<OrganizationView> {
  if (owner.kind !== "user") throw invalid("only a user can own an organization");
  checkAccountName(input.name);
  checkEmail(input.email);
  checkVisibility(actor, input.visibility);
  try {
    const id = await deps.db.tx(async (tx) => {
      if (!isSiteAdmin(actor) && !(await mayCreateOrganizations(tx, actor.id))) throw forbidden("you are not allowed to create organizations");
      const orgId = await insertOrganizationAccount(tx, input, actor);
      await insertOwnersTeam(tx, orgId, owner.id);
      if (input.repoAdminChangeTeamAccess) await updateOrganizationAccount(tx, orgId, { repo_admin_change_team_access: 1 });
      return orgId;
    });
    return await getOrganization(deps, id);
  } catch (error) {
    throw nameInUse(error, input.name, input.email);
  }
}

/** Edits an organization as an owner. */
export async function editOrganization(
  deps: OrganizationDeps,
  actor: UserActor,
  organization: OrganizationSubject,
  edit: OrganizationEdit,
): Promise<OrganizationView> {
  requireOwner(organization);
  if (edit.email !== null) checkEmail(edit.email);
  if (edit.visibility !== null) checkVisibility(actor, edit.visibility);
  const { repoAdminChangeTeamAccess } = edit;
  await deps.db.tx(async (tx) => {
    const present = await getOrganization({ db: tx }, organization.id);
    await updateOrganizationAccount(tx, organization.id, {
      full_name: edit.fullName ?? undefined,
      email: edit.email ?? undefined,
      description: edit.description ?? undefined,
      website: edit.website ?? undefined,
      location: edit.location ?? undefined,
      visibility: edit.visibility ?? undefined,
      repo_admin_change_team_access: repoAdminChangeTeamAccess === null ? undefined : repoAdminChangeTeamAccess ? 1 : 0,
      updated_ms: tx.nowMs,
    });
    const changes = changesBetween(present, await getOrganization({ db: tx }, organization.id));
    await recordEvent(tx, "account.updated", { accountId: organization.id, name: organization.name, kind: "organization", changes }, { by: actor });
  });
  return getOrganization(deps, organization.id);
}

/** Renames an organization as an owner; the previous name redirects. */
export async function renameOrganization(deps: OrganizationDeps, actor: UserActor, organization: OrganizationSubject, name: string): Promise<void> {
  requireOwner(organization);
  await renameUser(deps, actor, { ...organization, kind: "organization" }, name);
}

/** Deletes an empty organization, as an owner. @throws ForgeError `invalid` while it owns repositories */
export async function deleteOrganization(deps: OrganizationDeps, actor: UserActor, organization: OrganizationSubject): Promise<void> {
  requireOwner(organization);
  const stillOwns = () => invalid(`organization still has ownership of repositories [uid: ${organization.id}]`, { reason: "owns_repositories" });
  try {
    await deps.db.tx(async (tx) => {
      if ((await countRepositories(tx, organization.id)) > 0) throw stillOwns();
      await removeOrganization(tx, organization, actor);
    });
  } catch (error) {
    // A repository was created concurrently.
    if (isForeignKeyViolation(error)) throw stillOwns();
    throw error;
  }
}

/** Removes the rows of an empty organization, inside the caller's transaction. */
export const removeOrganization = (tx: Tx, organization: { readonly id: number; readonly name: string }, by: Author): Promise<void> =>
  removeAccount(tx, { id: organization.id, name: organization.name, kind: "organization" }, by);

/** Organizations whose only owner is the account. */
export const organizationsOwnedSolelyBy = (db: Reader, accountId: number): Promise<readonly { readonly id: number; readonly name: string }[]> =>
  listSolelyOwned(db, accountId);

/** Deletes an account's memberships, inside the transaction that deletes the account. */
export const endMemberships = (tx: Tx, accountId: number): Promise<void> => deleteMemberships(tx, accountId);

function requireOwner(organization: OrganizationSubject): void {
  if (!organization.isOwner) throw forbidden("Must be an organization owner");
}

function checkEmail(email: string): void {
  if (email !== "" && !isValidEmail(email)) throw invalid("[Email]: Email", { reason: "invalid_email" });
}

function checkVisibility(actor: UserActor, visibility: OrganizationView["visibility"]): void {
  if (visibility === "private" && !seesPrivate(actor)) throw forbidden("token scope is limited to public orgs");
}
