import { type Actor, isSelf, isUser, type UserActor } from "../../../../access/actor.ts";
import type { OrganizationSubject, TeamSubject } from "../../../../access/subjects.ts";
import { forbidden, invalid, notFound } from "../../../../core/errors.ts";
import { foldName } from "../../../../core/names.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { isForeignKeyViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { loadUsersInOrder } from "../../../accounts/users/service/accounts.ts";
import { requireNoBlockBetween } from "../../../accounts/users/service/blocks.ts";
import { accountsWithTwoFactor } from "../../../accounts/users/service/two-factor.ts";
import { removeMarksWithoutAccess } from "../../../repositories/repos/service/team-stars-and-watches.ts";
import { teamEvent } from "../event.ts";
import type { MembershipView } from "../model.ts";
import {
  deleteFromTeams,
  deleteTeamless,
  deleteTeamMember,
  findMembership,
  hasOtherOwner,
  insertTeamMember,
  isTeamMember,
  loadLocations,
  pageMemberIds,
  pageTeamMemberIds,
  updateMembership,
} from "../store/members.ts";
import { findPerson, isInside } from "./find.ts";

interface ReadDeps {
  readonly db: Reader;
}

interface WriteDeps {
  readonly db: Db;
}

/** The members of an organization: members and administrators see all, others only public ones. */
export const listMembers = (deps: ReadDeps, actor: Actor, organization: OrganizationSubject, page: Page): Promise<Paged<UserView>> =>
  listPage(deps, actor, organization, isInside(organization) ? "all" : "shown", page);

export const listPublicMembers = (deps: ReadDeps, actor: Actor, organization: OrganizationSubject, page: Page): Promise<Paged<UserView>> =>
  listPage(deps, actor, organization, "shown", page);

/** The same as {@link listMembers}, with the role of each, and for owners the state of two-factor authentication. At most five statements. */
export async function listMemberships(deps: ReadDeps, actor: Actor, organization: OrganizationSubject, page: Page): Promise<Paged<MembershipView>> {
  const { items, total } = await listMembers(deps, actor, organization, page);
  const ids = items.map(({ id }) => id);
  const places = await loadLocations(deps.db, organization.id, ids);
  const secured = organization.isOwner ? await accountsWithTwoFactor(deps, ids) : undefined;
  const memberships = items.map((user) => {
    const { isPublic, isOwner } = places.get(user.id) ?? { isPublic: false, isOwner: false };
    return { user, isPublic, isOwner: isInside(organization) ? isOwner : undefined, hasTwoFactor: secured?.has(user.id) };
  });
  return { items: memberships, total };
}

async function listPage(deps: ReadDeps, actor: Actor, organization: OrganizationSubject, memberships: "all" | "shown", page: Page): Promise<Paged<UserView>> {
  const visibilities = isUser(actor) ? (["public", "limited"] as const) : (["public"] as const);
  // A membership must not reveal an account that is hidden from the viewer.
  const shown = isInside(organization) ? {} : { shown: { visibilities, alwaysId: isUser(actor) ? actor.id : 0 } };
  const { items, total } = await pageMemberIds(deps.db, { orgId: organization.id, isPublicOnly: memberships === "shown", ...shown }, page);
  return { items: await loadUsersInOrder(deps, items), total };
}

/**
 * Whether a user is a member; undefined for callers who may only see public members.
 * @throws ForgeError `not_found` for a missing user
 */
export async function isMember(deps: ReadDeps, actor: UserActor, organization: OrganizationSubject, name: string): Promise<boolean | undefined> {
  const user = await findPerson(deps, actor, organization, name);
  if (isInside(organization)) return (await findMembership(deps.db, organization.id, user.id)) !== undefined;
  return isSelf(actor, user.id) ? false : undefined;
}

/** Whether a user is a public member. @throws ForgeError `not_found` for a missing user */
export async function isPublicMember(deps: ReadDeps, actor: Actor, organization: OrganizationSubject, name: string): Promise<boolean> {
  const user = await findPerson(deps, actor, organization, name);
  return (await findMembership(deps.db, organization.id, user.id))?.isPublic ?? false;
}

/**
 * Publishes or hides a membership: the caller's own, or any for owners.
 * @throws ForgeError `forbidden` for others' memberships, `not_found` for other users than members
 */
export async function showMembership(
  deps: WriteDeps,
  actor: UserActor,
  organization: OrganizationSubject,
  name: string,
  to: "public" | "hidden",
): Promise<void> {
  const user = await findPerson(deps, actor, organization, name);
  if (!isSelf(actor, user.id) && !organization.isOwner) throw forbidden("Cannot change member visibility");
  if (!(await deps.db.tx((tx) => updateMembership(tx, organization.id, user.id, to)))) throw notFound();
}

/**
 * Ends a membership, the caller's own or any for owners: removes the user from all teams. Has no effect on other users.
 * @throws ForgeError `forbidden` for others' memberships, `not_found` for a missing user, `invalid` for the only owner
 */
export async function removeMember(deps: WriteDeps, actor: UserActor, organization: OrganizationSubject, name: string): Promise<void> {
  const user = await findPersonToRemove(deps, actor, organization, name);
  await deps.db.tx(async (tx) => {
    await keepAnOwner(tx, organization.id, user.id);
    const isGone = await deleteFromTeams(tx, organization.id, user.id);
    await deleteTeamless(tx, organization.id);
    await removeMarksWithoutAccess(tx, organization.id, user.id);
    const event = { orgId: organization.id, orgName: organization.name, ...memberEvent(user) };
    if (isGone) await recordEvent(tx, "organization.member_removed", event, { by: actor });
  });
}

export async function listTeamMembers(deps: ReadDeps, team: TeamSubject, page: Page): Promise<Paged<UserView>> {
  const { items, total } = await pageTeamMemberIds(deps.db, team.id, page);
  return { items: await loadUsersInOrder(deps, items), total };
}

/** @throws ForgeError `not_found` if the team has no such member */
export async function getTeamMember(deps: ReadDeps, actor: UserActor, team: TeamSubject, name: string): Promise<UserView> {
  const user = await findPerson(deps, actor, team.organization, name);
  if (!(await isTeamMember(deps.db, team.id, user.id))) throw notFound();
  return user;
}

/**
 * Adds a user to a team as an owner; the user becomes a member of the organization.
 * @throws ForgeError `not_found` for a missing user, `forbidden` if the user and the organization have blocked each other
 */
export async function addTeamMember(deps: WriteDeps, actor: UserActor, team: TeamSubject, name: string): Promise<void> {
  requireOwner(team);
  const user = await findPerson(deps, actor, team.organization, name);
  try {
    await deps.db.tx(async (tx) => {
      await requireNoBlockBetween({ db: tx }, team.organization.id, user.id);
      const isNew = await insertTeamMember(tx, { id: team.id, orgId: team.organization.id }, user.id);
      if (isNew) await recordEvent(tx, "team.member_added", { ...teamEvent(team), ...memberEvent(user) }, { by: actor });
    });
  } catch (error) {
    // The team or the user was deleted concurrently.
    if (isForeignKeyViolation(error)) throw notFound();
    throw error;
  }
}

/**
 * Removes a user from a team, as an owner or as the user. Leaving the last team ends the membership. Has no effect on users outside the
 * team.
 * @throws ForgeError `forbidden` for others unless the caller is an owner, `not_found` for a missing user, `invalid` for the only
 * owner
 */
export async function removeTeamMember(deps: WriteDeps, actor: UserActor, team: TeamSubject, name: string): Promise<void> {
  const user = await findPersonToRemove(deps, actor, team.organization, name);
  await deps.db.tx(async (tx) => {
    if (team.mode === "owner") await keepAnOwner(tx, team.organization.id, user.id);
    const isGone = await deleteTeamMember(tx, team.id, user.id);
    await deleteTeamless(tx, team.organization.id);
    await removeMarksWithoutAccess(tx, team.organization.id, user.id);
    if (isGone) await recordEvent(tx, "team.member_removed", { ...teamEvent(team), ...memberEvent(user) }, { by: actor });
  });
}

/** Owners may remove any user, others only themselves. */
async function findPersonToRemove(deps: ReadDeps, actor: UserActor, organization: OrganizationSubject, name: string): Promise<UserView> {
  if (!organization.isOwner && foldName(name) !== foldName(actor.name)) throw forbidden("Must be an organization owner");
  return findPerson(deps, actor, organization, name);
}

const memberEvent = (user: UserView) => ({ memberId: user.id, memberName: user.name });

/** Checked in the removing transaction, so that two owners who remove each other cannot both succeed. */
async function keepAnOwner(tx: Tx, orgId: number, accountId: number): Promise<void> {
  if (!(await hasOtherOwner(tx, orgId, accountId))) throw invalid("an organization keeps at least one owner", { reason: "last_owner" });
}

function requireOwner(team: TeamSubject): void {
  if (!team.organization.isOwner) throw forbidden("Must be an organization owner");
}
