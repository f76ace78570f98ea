import type { Actor } from "../../../access/actor.ts";
import type { Urls } from "../../../core/urls.ts";
import type { OrganizationPermissions } from "../../../wire/organization.ts";
import type { Team } from "../../../wire/team.ts";
import { presentOrganization, presentTeam } from "../orgs/present.ts";
import type { OrganizationRights, TeamWithOrganization } from "./model.ts";

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
