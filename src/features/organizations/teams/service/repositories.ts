import { type Actor, isSiteAdmin, isUser, type UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject, TeamSubject } from "../../../../access/subjects.ts";
import { forbidden, invalid, notFound, refused } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { isForeignKeyViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { RepositoryView } from "../../../repositories/repos/model.ts";
import { findRepository } from "../../../repositories/repos/service/find.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import { listTeamRepositories } from "../../../repositories/repos/service/search.ts";
import { removeMarksWithoutAccess, watchAsTeam } from "../../../repositories/repos/service/team-stars-and-watches.ts";
import { getOrganization } from "../../orgs/service/organizations.ts";
import { teamEvent } from "../event.ts";
import type { TeamView } from "../model.ts";
import { findMembership } from "../store/members.ts";
import { deleteTeamRepository, hasRepository, insertTeamRepository, listTeams } from "../store/teams.ts";

interface ReadDeps {
  readonly db: Reader;
}

interface WriteDeps {
  readonly db: Db;
}

/** Repositories of a team that the caller can read. */
export const listRepositoriesOfTeam = (deps: ReadDeps, actor: UserActor, team: TeamSubject, page: Page): Promise<Paged<RepositoryView>> =>
  listTeamRepositories(deps, actor, team.id, page);

/** A repository in a path below a team. */
export interface TeamRepositoryPath {
  readonly owner: string;
  readonly repo: string;
}

/** @throws ForgeError `not_found` for repositories that the team does not have or the caller cannot read */
export async function getRepositoryOfTeam(deps: ReadDeps, actor: UserActor, team: TeamSubject, path: TeamRepositoryPath): Promise<RepositoryView> {
  const repository = await findOwnRepository(deps, actor, team, path);
  if (!hasAll(team) && !(await hasRepository(deps.db, team.id, repository.id))) throw notFound();
  return getRepository(deps, actor, repository.id);
}

/**
 * Adds a repository of the organization to a team. Has no effect if the team has it.
 * @throws ForgeError `not_found` for repositories of others, `forbidden` for callers who may not change the repository's teams
 */
export async function giveRepository(deps: WriteDeps, actor: UserActor, team: TeamSubject, path: TeamRepositoryPath): Promise<void> {
  const repository = await findOwnRepository(deps, actor, team, path);
  await requireTeamChange(deps, repository);
  await insertGrant(deps, actor, team, repository);
}

/** Removes a repository from a team. Has no effect if the team does not have it. @throws ForgeError as {@link giveRepository} */
export async function takeRepository(deps: WriteDeps, actor: UserActor, team: TeamSubject, path: TeamRepositoryPath): Promise<void> {
  const repository = await findOwnRepository(deps, actor, team, path);
  await requireTeamChange(deps, repository);
  await deleteGrant(deps, actor, team, repository);
}

/**
 * The teams of a repository, for members of the organization and administrators of the repository; an empty list for others.
 * @throws ForgeError `refused` for a user's repository
 */
export async function listTeamsOfRepository(deps: ReadDeps, actor: Actor, repository: RepositorySubject): Promise<readonly TeamView[]> {
  requireOrganizationOwned(repository);
  if (!(await knowsTeams(deps, actor, repository))) return [];
  return listTeams(deps.db, { repository });
}

/** @throws ForgeError `not_found` if the repository does not have the team, `refused` for a user's repository */
export async function getTeamOfRepository(deps: ReadDeps, actor: Actor, repository: RepositorySubject, name: string): Promise<TeamView> {
  requireOrganizationOwned(repository);
  const [team] = (await knowsTeams(deps, actor, repository)) ? await listTeams(deps.db, { repository, name }) : [];
  if (team === undefined) throw notFound();
  return team;
}

/** @throws ForgeError `invalid` if the team already has the repository; otherwise as {@link giveRepository} */
export async function addTeamOfRepository(deps: WriteDeps, actor: UserActor, repository: RepositorySubject, name: string): Promise<void> {
  requireOrganizationOwned(repository);
  await requireTeamChange(deps, repository);
  const team = await requireTeam(deps, repository, name);
  if (hasAll(team) || !(await insertGrant(deps, actor, inOrganization(team, repository), repository)))
    throw invalid(`team '${team.name}' is already added to repo`, { reason: "team_has_repository" });
}

/** @throws ForgeError `invalid` if the team does not have the repository; otherwise as {@link giveRepository} */
export async function removeTeamOfRepository(deps: WriteDeps, actor: UserActor, repository: RepositorySubject, name: string): Promise<void> {
  requireOrganizationOwned(repository);
  await requireTeamChange(deps, repository);
  const team = await requireTeam(deps, repository, name);
  if (hasAll(team) || !(await deleteGrant(deps, actor, inOrganization(team, repository), repository)))
    throw invalid(`team '${team.name}' was not added to repo`, { reason: "changed_meanwhile" });
}

const hasAll = (team: Pick<TeamView, "mode" | "includesAllRepositories">): boolean => team.mode === "owner" || team.includesAllRepositories;

async function requireTeam(deps: ReadDeps, repository: RepositorySubject, name: string): Promise<TeamView> {
  const [team] = await listTeams(deps.db, { orgId: repository.ownerId, name });
  if (team === undefined) throw notFound(`team does not exist [org_id ${repository.ownerId}, team_id 0, name: ${name}]`, { reason: "team_not_found" });
  return team;
}

/** A repository that can be added to a team: one of the same organization. */
async function findOwnRepository(deps: ReadDeps, actor: UserActor, team: TeamSubject, { owner, repo }: TeamRepositoryPath): Promise<RepositorySubject> {
  const found = await findRepository(deps, owner, repo, actor);
  if ("movedTo" in found || found.subject.ownerId !== team.organization.id) throw notFound();
  return found.subject;
}

function requireOrganizationOwned({ ownerKind }: RepositorySubject): void {
  if (ownerKind !== "organization") throw refused("repo is not owned by an organization");
}

/** Owners may change a repository's teams; its administrators may if the organization allows it. The rule is the same for both endpoints. */
async function requireTeamChange(deps: ReadDeps, repository: RepositorySubject): Promise<void> {
  const { mode } = repository.right;
  if (!atLeast(mode, "admin")) throw forbidden("Must have admin-level access to the repository");
  if (mode === "owner") return;
  const { repoAdminChangeTeamAccess } = await getOrganization(deps, repository.ownerId);
  if (!repoAdminChangeTeamAccess) throw forbidden("user is nor repo admin nor owner");
}

async function knowsTeams(deps: ReadDeps, actor: Actor, { right, ownerId }: RepositorySubject): Promise<boolean> {
  if (!isUser(actor)) return false;
  return isSiteAdmin(actor) || atLeast(right.mode, "admin") || (await findMembership(deps.db, ownerId, actor.id)) !== undefined;
}

/** Adds a repository to a team, whose members watch it from then on. @returns whether it was added */
async function insertGrant(deps: WriteDeps, actor: UserActor, team: NamedTeam, { id: repoId, name }: RepositorySubject): Promise<boolean> {
  try {
    return await deps.db.tx(async (tx) => {
      const isNew = await insertTeamRepository(tx, team.id, repoId);
      if (isNew) await watchAsTeam(tx, team.id, repoId);
      if (isNew) await recordEvent(tx, "team.repository_added", { ...teamEvent(team), repoId, name }, { repoId, by: actor });
      return isNew;
    });
  } catch (error) {
    // The team or the repository was deleted concurrently.
    if (isForeignKeyViolation(error)) throw notFound();
    throw error;
  }
}

/** Removes a repository from a team, and the watches and stars of users who can no longer read it. @returns whether the team had it */
const deleteGrant = (deps: WriteDeps, actor: UserActor, team: NamedTeam, { id: repoId, name, ownerId }: RepositorySubject): Promise<boolean> =>
  deps.db.tx(async (tx) => {
    const had = await deleteTeamRepository(tx, team.id, repoId);
    if (had) await removeMarksWithoutAccess(tx, ownerId);
    if (had) await recordEvent(tx, "team.repository_removed", { ...teamEvent(team), repoId, name }, { repoId, by: actor });
    return had;
  });

type NamedTeam = Parameters<typeof teamEvent>[0];
const inOrganization = ({ id, name }: TeamView, { ownerId, ownerName }: RepositorySubject): NamedTeam => ({
  id,
  name,
  organization: { id: ownerId, name: ownerName },
});
