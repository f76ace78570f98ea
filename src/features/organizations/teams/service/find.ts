import { type Actor, isSiteAdmin, seesPrivate, type UserActor } from "../../../../access/actor.ts";
import type { OrganizationSubject, TeamSubject } from "../../../../access/subjects.ts";
import { forbidden, notFound } from "../../../../core/errors.ts";
import type { Reader } from "../../../../db/db.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { findAccountView, isVisibleTo } from "../../../accounts/users/service/accounts.ts";
import type { TeamView } from "../model.ts";
import { findMembership, isTeamMember } from "../store/members.ts";
import { listTeams, locateTeam } from "../store/teams.ts";

/** A team by id. @throws ForgeError `not_found`, the same for missing teams and for those of organizations that the caller is not in */
export async function findTeam(deps: { readonly db: Reader }, id: number, actor: UserActor): Promise<TeamSubject> {
  const located = await locateTeam(deps.db, id, actor.id);
  if (located === undefined) throw notFound();
  const isOwner = located.organization.isOwner || isSiteAdmin(actor);
  if (!located.organization.isMember && !isOwner) throw notFound();
  if (!seesPrivate(actor) && located.organization.visibility === "private") throw forbidden("token scope is limited to public orgs");
  const { team } = located;
  return {
    id: team.id,
    name: team.name,
    mode: team.mode,
    includesAllRepositories: team.includesAllRepositories,
    organization: { ...located.organization, isOwner },
    isMember: located.isTeamMember,
  };
}

/**
 * A team by name, in an organization that the caller is in, with the repository or member from the path. Two statements.
 * @throws ForgeError `not_found`
 */
export async function findTeamByName(
  deps: { readonly db: Reader },
  organization: OrganizationSubject,
  name: string,
  actor: UserActor,
): Promise<{ readonly view: TeamView; readonly subject: TeamSubject }> {
  const [view] = await listTeams(deps.db, { orgId: organization.id, name });
  if (view === undefined) throw notFound();
  const { id, mode, includesAllRepositories } = view;
  const isMember = await isTeamMember(deps.db, id, actor.id);
  return { view, subject: { id, name: view.name, mode, includesAllRepositories, organization, isMember } };
}

/** A user named in an organization's context: one that the caller can see, or a fellow member. @throws ForgeError `not_found` */
export async function findPerson(deps: { readonly db: Reader }, actor: Actor, organization: OrganizationSubject, name: string): Promise<UserView> {
  const user = await findAccountView(deps, name);
  const isKnown = async (): Promise<boolean> =>
    user !== undefined && isInside(organization) && (await findMembership(deps.db, organization.id, user.id)) !== undefined;
  if (user?.kind !== "user" || !(isVisibleTo(user, actor) || (await isKnown()))) {
    throw notFound("GetUserByName", { reason: "user_not_found", details: [`user does not exist [uid: 0, name: ${name}]`] });
  }
  return user;
}

/** Members and site administrators, who can see all members of an organization. */
export const isInside = (organization: OrganizationSubject): boolean => organization.isMember || organization.isOwner;
