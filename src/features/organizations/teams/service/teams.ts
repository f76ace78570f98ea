import { isSiteAdmin, seesPrivate, type UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { OrganizationSubject, TeamSubject } from "../../../../access/subjects.ts";
import { forbidden, invalid, notFound } from "../../../../core/errors.ts";
import { checkLength, lengths } from "../../../../core/lengths.ts";
import { foldName } from "../../../../core/names.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import { removeMarksWithoutAccess } from "../../../repositories/repos/service/team-stars-and-watches.ts";
import { getOrganization, loadOrganizations } from "../../orgs/service/organizations.ts";
import { teamEvent } from "../event.ts";
import type { CountedTeam, NewTeamInput, OrganizationRights, TeamEdit, TeamView, TeamWithOrganization } from "../model.ts";
import { editedRights, newRights } from "../rights.ts";
import { deleteTeamless } from "../store/members.ts";
import { countContents, deleteTeam as deleteRow, insertTeam, listTeams, loadTeam, pageTeams, replaceUnits, updateTeam } from "../store/teams.ts";
import { findPerson, isInside } from "./find.ts";

interface ReadDeps {
  readonly db: Reader;
}

interface WriteDeps {
  readonly db: Db;
}

/** All teams of an organization by name, for insiders. */
export const listOrganizationTeams = (deps: ReadDeps, organization: OrganizationSubject, page: Page): Promise<Paged<TeamView>> =>
  pageTeams(deps.db, { orgId: organization.id }, page);

/** The same with member and repository counts, the owners' team first. At most three statements. */
export async function listCountedTeams(deps: ReadDeps, organization: OrganizationSubject, page: Page): Promise<Paged<CountedTeam>> {
  const { items, total } = await pageTeams(deps.db, { orgId: organization.id }, page, { startsWithOwners: true });
  const counts = await countContents(
    deps.db,
    items.map(({ id }) => id),
  );
  const counted = items.map((team) => ({
    ...team,
    membersCount: counts.get(team.id)?.members ?? 0,
    repositoriesCount: counts.get(team.id)?.repositories ?? 0,
  }));
  return { items: counted, total };
}

/** The names of an organization's teams, the owners' team first, for selection by insiders. One statement. */
export const listTeamNames = async (deps: ReadDeps, organization: OrganizationSubject): Promise<readonly string[]> =>
  (await listTeams(deps.db, { orgId: organization.id })).map(({ name }) => name);

export interface TeamQuery {
  readonly text: string;
  readonly searchesDescriptions: boolean;
}

/** @compat Gitea searches the caller's own teams; site administrators search all (teams/api/teams.test.ts). */
export const searchTeams = (deps: ReadDeps, actor: UserActor, organization: OrganizationSubject, query: TeamQuery, page: Page): Promise<Paged<TeamView>> =>
  pageTeams(
    deps.db,
    {
      orgId: organization.id,
      ...(!isSiteAdmin(actor) && { memberId: actor.id }),
      ...(query.text !== "" && { text: { value: query.text, searchesDescriptions: query.searchesDescriptions } }),
    },
    page,
  );

/** The caller's teams in all organizations. */
export async function listOwnTeams(deps: ReadDeps, actor: UserActor, page: Page): Promise<Paged<TeamWithOrganization>> {
  const { items, total } = await pageTeams(deps.db, { memberId: actor.id, ...(!seesPrivate(actor) && { isOpenOnly: true }) }, page);
  const organizations = await loadOrganizations(
    deps,
    items.map((team) => team.orgId),
  );
  return {
    total,
    items: items.flatMap((team) => {
      const organization = organizations.get(team.orgId);
      return organization === undefined ? [] : { team, organization };
    }),
  };
}

export async function getTeam(deps: ReadDeps, id: number): Promise<TeamWithOrganization> {
  const team = await loadTeam(deps.db, id);
  if (team === undefined) throw notFound();
  return { team, organization: await getOrganization(deps, team.orgId) };
}

/** Creates a team as an owner. @throws ForgeError `invalid` for a name in use, and for unknown or missing rights */
export async function createTeam(deps: WriteDeps, actor: UserActor, organization: OrganizationSubject, input: NewTeamInput): Promise<TeamWithOrganization> {
  if (!organization.isOwner) throw forbidden("Must be an organization owner");
  const { name, description, includesAllRepositories, canCreateRepositories } = input;
  checkName(name);
  const team = { orgId: organization.id, name, description, includesAllRepositories, canCreateRepositories, ...newRights(input) };
  try {
    const id = await deps.db.tx(async (tx) => {
      const teamId = await insertTeam(tx, team);
      await recordEvent(tx, "team.created", { ...teamEvent({ id: teamId, name, organization }), rights: rightsEvent(team) }, { by: actor });
      return teamId;
    });
    return await getTeam(deps, id);
  } catch (error) {
    throw nameInUse(error, organization.id, name);
  }
}

/**
 * Edits a team as an owner. Members who lose access to a repository stop watching it.
 * @throws ForgeError `invalid` as {@link createTeam}, and for restricting the owners' team
 */
export async function editTeam(deps: WriteDeps, actor: UserActor, team: TeamSubject, edit: TeamEdit): Promise<TeamView> {
  if (!team.organization.isOwner) throw forbidden("Must be an organization owner");
  checkName(edit.name);
  try {
    return await deps.db.tx(async (tx) => {
      const present = await loadTeam(tx, team.id);
      if (present === undefined) throw notFound();
      if (present.mode === "owner") keepOwners(present, edit);
      const rights = present.mode === "owner" ? undefined : editedRights(present, edit);
      await updateTeam(tx, team.id, {
        description: edit.description ?? present.description,
        ...(edit.name !== "" && { name: edit.name, name_folded: edit.name.toLowerCase() }),
        ...(rights !== undefined && { mode: rights.mode }),
        ...(edit.includesAllRepositories !== null && { includes_all_repositories: edit.includesAllRepositories ? 1 : 0 }),
        ...(edit.canCreateRepositories !== null && { can_create_org_repo: edit.canCreateRepositories ? 1 : 0 }),
      });
      if (rights !== undefined) await replaceUnits(tx, team.id, rights.units);
      if (rights !== undefined || edit.includesAllRepositories === false) await removeMarksWithoutAccess(tx, present.orgId);
      const edited = await loadTeam(tx, team.id);
      if (edited === undefined) throw notFound();
      await recordEvent(
        tx,
        "team.updated",
        { ...teamEvent(team), teamName: edited.name, formerName: present.name, rights: rightsEvent(edited) },
        { by: actor },
      );
      return edited;
    });
  } catch (error) {
    throw nameInUse(error, team.organization.id, edit.name);
  }
}

/** The owners' team keeps its name and all rights; only its description can be changed. */
function keepOwners(team: TeamView, edit: TeamEdit): void {
  const isRenamed = edit.name !== "" && edit.name !== team.name;
  const isNarrowed =
    edit.permission !== "" ||
    (edit.units?.length ?? 0) > 0 ||
    Object.keys(edit.unitsMap ?? {}).length > 0 ||
    edit.includesAllRepositories === false ||
    edit.canCreateRepositories === false;
  if (isRenamed || isNarrowed) throw invalid("the name and the rights of the owners' team cannot be changed", { reason: "owners_team" });
}

/**
 * Deletes a team as an owner. Members without another team leave the organization.
 * @throws ForgeError `not_found` for the owners' team, which cannot be deleted
 */
export async function deleteTeam(deps: WriteDeps, actor: UserActor, team: TeamSubject): Promise<void> {
  if (!team.organization.isOwner) throw forbidden("Must be an organization owner");
  // @compat Gitea answers 404 here (teams/api/teams.test.ts)
  if (team.mode === "owner") throw notFound("the owners' team cannot be deleted");
  await deps.db.tx(async (tx) => {
    await deleteRow(tx, team.id);
    await deleteTeamless(tx, team.organization.id);
    await removeMarksWithoutAccess(tx, team.organization.id);
    await recordEvent(tx, "team.deleted", teamEvent(team), { by: actor });
  });
}

/** `new` is reserved for the path `/org/{org}/teams/new`. */
function checkName(name: string): void {
  checkLength("Name", name, lengths.line);
  if (foldName(name) === "new") throw invalid(`name is reserved [name: ${name}]`, { reason: "name_reserved" });
}

/** A team's rights as recorded in events. */
const rightsEvent = ({ mode, units, includesAllRepositories, canCreateRepositories }: Omit<TeamView, "id">) => ({
  mode,
  units: Object.fromEntries(units),
  includesAllRepositories,
  canCreateRepositories,
});

/**
 * A user's rights in an organization. Insiders may ask about any user, others only about themselves, because memberships may be
 * hidden.
 * @throws ForgeError `not_found` for a missing user, `forbidden` for others' rights
 */
export async function getRights(deps: ReadDeps, actor: UserActor, organization: OrganizationSubject, name: string): Promise<OrganizationRights> {
  const user = await findPerson(deps, actor, organization, name);
  if (user.id !== actor.id && !isInside(organization)) throw forbidden("Must be an organization member");
  const teams = await listTeams(deps.db, { orgId: organization.id, memberId: user.id });
  const isOwner = teams.some(({ mode }) => mode === "owner");
  const isAdmin = teams.some(({ mode }) => mode !== "none");
  const grants = (least: "read" | "write"): boolean => isAdmin || teams.some(({ units }) => [...units.values()].some((mode) => atLeast(mode, least)));
  return {
    isOwner,
    isAdmin,
    canWrite: grants("write"),
    canRead: grants("read"),
    canCreateRepository: isOwner || teams.some(({ canCreateRepositories }) => canCreateRepositories),
  };
}

const nameInUse = (error: unknown, orgId: number, name: string): unknown =>
  isUniqueViolation(error, "teams.org_id,name_folded")
    ? invalid(`team already exists [org_id: ${orgId}, name: ${name}]`, { reason: "team_exists", cause: error })
    : error;
