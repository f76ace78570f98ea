import type { RepositorySubject } from "../../../../access/subjects.ts";
import { foldName } from "../../../../core/names.ts";
import type { Reader } from "../../../../db/db.ts";
import { loadOrganizations } from "../../orgs/service/organizations.ts";
import type { TeamView, TeamWithOrganization } from "../model.ts";
import { pageTeamMemberIds } from "../store/members.ts";
import { listTeams, loadTeamViews } from "../store/teams.ts";

interface ReadDeps {
  readonly db: Reader;
}

/** Teams by id with their organizations. Two statements for any number, none for none. */
export async function loadTeams(deps: ReadDeps, ids: readonly number[]): Promise<ReadonlyMap<number, TeamWithOrganization>> {
  if (ids.length === 0) return new Map();
  const teams = await loadTeamViews(deps.db, ids);
  const organizations = await loadOrganizations(deps, [...new Set([...teams.values()].map(({ orgId }) => orgId))]);
  return new Map(
    [...teams.values()].flatMap((team) => {
      const organization = organizations.get(team.orgId);
      return organization === undefined ? [] : [[team.id, { team, organization }] as const];
    }),
  );
}

/** The teams of a repository, by name as given; none for a user's repository. One statement. */
export async function findTeamsOfRepository(
  deps: ReadDeps,
  { id, ownerId, ownerKind }: Pick<RepositorySubject, "id" | "ownerId" | "ownerKind">,
): Promise<(name: string) => TeamView | undefined> {
  if (ownerKind === "user") return () => undefined;
  const teams = await listTeams(deps.db, { repository: { id, ownerId } });
  const byName = new Map(teams.map((team) => [foldName(team.name), team]));
  return (name) => byName.get(foldName(name));
}

/** The teams of an organization that an account is in. One statement. */
export async function teamIdsOf(deps: ReadDeps, orgId: number, accountId: number): Promise<ReadonlySet<number>> {
  return new Set((await listTeams(deps.db, { orgId, memberId: accountId })).map(({ id }) => id));
}

/** Maximum number of members notified at once. */
const maxCalled = 200;

/** The members to notify when a team is mentioned or requested for review. One statement, two for a large team. */
export async function calledMembersOf(deps: ReadDeps, teamId: number): Promise<readonly number[]> {
  return (await pageTeamMemberIds(deps.db, teamId, { page: 1, limit: maxCalled, offset: 0 })).items;
}
