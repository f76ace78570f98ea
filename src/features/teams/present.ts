import type { Actor } from "../../access/actor.ts";
import { type Mode, type Unit, units as unitNames } from "../../access/repository.ts";
import type { Urls } from "../../core/urls.ts";
import type { OrganizationPermissions } from "../../wire/organization.ts";
import type { Team } from "../../wire/team.ts";
import { presentOrganization } from "../orgs/present.ts";
import type { OrganizationRights, TeamView, TeamWithOrganization } from "./view.ts";

/** A team without its organization, as lists of an organization's or a repository's teams show it (wire facts 4.4). */
export function presentTeam(team: TeamView): Team {
  const { mode } = team;
  const granted: readonly (readonly [Unit, Mode])[] = mode === "none" ? [...team.units] : unitNames.map((unit) => [unit, mode]);
  const sorted = granted.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    id: team.id,
    name: team.name,
    description: team.description,
    organization: null,
    includes_all_repositories: team.includesAllRepositories,
    permission: mode,
    units: sorted.length === 0 ? null : sorted.map(([unit]) => unit),
    units_map: sorted.length === 0 ? null : Object.fromEntries(sorted),
    can_create_org_repo: team.canCreateRepositories,
  };
}

export const presentTeamWithOrganization = ({ team, organization }: TeamWithOrganization, viewer: Actor, urls: Urls): Team => ({
  ...presentTeam(team),
  organization: presentOrganization(organization, viewer, urls),
});

export const presentRights = (rights: OrganizationRights): OrganizationPermissions => ({
  is_owner: rights.isOwner,
  is_admin: rights.isAdmin,
  can_write: rights.canWrite,
  can_read: rights.canRead,
  can_create_repository: rights.canCreateRepository,
});
