import { type Actor, isUser } from "../../../access/actor.ts";
import { type Mode, type Unit, units as unitNames } from "../../../access/repository.ts";
import type { Urls } from "../../../core/urls.ts";
import type { Organization } from "../../../wire/organization.ts";
import type { Team } from "../../../wire/team.ts";
import { avatarUrl } from "../../accounts/users/present.ts";
import type { OrganizationView, TeamView } from "./model.ts";

/** An organization as seen by a viewer (wire facts 4.3). The address is for signed-in viewers. */
export const presentOrganization = (view: OrganizationView, viewer: Actor, urls: Urls): Organization => ({
  id: view.id,
  name: view.name,
  full_name: view.fullName,
  email: isUser(viewer) ? view.email : "",
  avatar_url: avatarUrl(view, urls),
  description: view.description,
  website: view.website,
  location: view.location,
  visibility: view.visibility,
  repo_admin_change_team_access: view.repoAdminChangeTeamAccess,
  username: view.name,
});

/** A team without its organization, for lists of an organization's or a repository's teams (wire facts 4.4). */
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
    units_map: Object.fromEntries(sorted),
    can_create_org_repo: team.canCreateRepositories,
  };
}
