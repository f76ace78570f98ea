import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { organization, signedIn, team } from "../../../../http/access.ts";
import { empty, envelope, json, list } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { OrganizationPermissions } from "../../../../wire/organization.ts";
import { CreateTeamOption, EditTeamOption, Team, TeamSearchResults } from "../../../../wire/team.ts";
import { presentTeam } from "../../orgs/present.ts";
import type { NewTeamInput, TeamEdit } from "../model.ts";
import { presentRights, presentTeamWithOrganization } from "../present.ts";
import { createTeam, deleteTeam, editTeam, getRights, getTeam, listOrganizationTeams, listOwnTeams, searchTeams } from "../service/teams.ts";

export interface TeamApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

/** Teams of organizations. */
export function teamRoutes(deps: TeamApiDeps): Route[] {
  const { urls } = deps;
  return [
    ...teamListRoutes(deps),
    defineRoute({
      id: "orgCreateTeam",
      method: "POST",
      path: "/orgs/{org}/teams",
      tag: "organization",
      summary: "Create a team",
      access: organization.owner,
      scope: "organization",
      body: CreateTeamOption,
      answers: json(201, Team),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: async ({ actor, organization, body }) => presentTeamWithOrganization(await createTeam(deps, actor, organization, readNewTeam(body)), actor, urls),
    }),
    defineRoute({
      id: "orgGetTeam",
      method: "GET",
      path: "/teams/{id}",
      tag: "organization",
      summary: "Get a team",
      access: team.member,
      scope: "organization",
      answers: json(200, Team),
      refusals: { 404: "notFound" },
      handle: async ({ actor, team }) => presentTeamWithOrganization(await getTeam(deps, team.id), actor, urls),
    }),
    defineRoute({
      id: "orgEditTeam",
      method: "PATCH",
      path: "/teams/{id}",
      tag: "organization",
      summary: "Edit a team; omitted fields stay unchanged",
      access: team.owner,
      scope: "organization",
      body: EditTeamOption,
      answers: json(200, Team),
      refusals: { 404: "notFound" },
      handle: async ({ actor, team, body }) => presentTeam(await editTeam(deps, actor, team, readEdit(body))),
    }),
    defineRoute({
      id: "orgDeleteTeam",
      method: "DELETE",
      path: "/teams/{id}",
      tag: "organization",
      summary: "Delete a team",
      access: team.owner,
      scope: "organization",
      answers: empty(),
      refusals: { 404: "notFound" },
      handle: ({ actor, team }) => deleteTeam(deps, actor, team),
    }),
    defineRoute({
      id: "orgGetUserPermissions",
      method: "GET",
      path: "/users/{username}/orgs/{org}/permissions",
      tag: "organization",
      summary: "Get a user's rights in an organization",
      // @compat Gitea looks up the organization after it has checked the credentials (contract/access.test.ts).
      access: organization.signedInFirst,
      scope: ["user", "organization"],
      answers: json(200, OrganizationPermissions),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: async ({ actor, organization, params }) => presentRights(await getRights(deps, actor, organization, params.username)),
    }),
  ];
}

function teamListRoutes(deps: TeamApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "orgListTeams",
      method: "GET",
      path: "/orgs/{org}/teams",
      tag: "organization",
      summary: "List the teams of an organization",
      access: organization.member,
      scope: "organization",
      answers: list(Team, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ organization, page }) => {
        const teams = await listOrganizationTeams(deps, organization, page);
        return { total: teams.total, items: teams.items.map(presentTeam) };
      },
    }),
    defineRoute({
      id: "teamSearch",
      method: "GET",
      path: "/orgs/{org}/teams/search",
      tag: "organization",
      summary: "Search the teams of the caller in an organization",
      access: organization.member,
      scope: "organization",
      query: {
        q: query.text("Part of a name or description"),
        include_desc: query.bool("False: search names only"),
      },
      answers: envelope(TeamSearchResults, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, organization, query: requested, page }) => {
        const wanted = { text: requested.q ?? "", searchesDescriptions: requested.include_desc ?? true };
        const teams = await searchTeams(deps, actor, organization, wanted, page);
        return { total: teams.total, body: { ok: true, data: teams.items.map(presentTeam) } };
      },
    }),
    defineRoute({
      id: "userListTeams",
      method: "GET",
      path: "/user/teams",
      tag: "user",
      summary: "List the teams of the authenticated user",
      access: signedIn,
      scope: "user",
      refusesPublicOnly: true,
      answers: list(Team, "links"),
      handle: async ({ actor, page }) => {
        const teams = await listOwnTeams(deps, actor, page);
        return { total: teams.total, items: teams.items.map((one) => presentTeamWithOrganization(one, actor, urls)) };
      },
    }),
  ];
}

const readNewTeam = (option: CreateTeamOption): NewTeamInput => ({
  name: option.name,
  description: option.description,
  permission: option.permission,
  units: option.units,
  unitsMap: option.units_map,
  includesAllRepositories: option.includes_all_repositories,
  canCreateRepositories: option.can_create_org_repo,
});

const readEdit = (option: EditTeamOption): TeamEdit => ({
  name: option.name,
  description: option.description,
  permission: option.permission,
  units: option.units,
  unitsMap: option.units_map,
  includesAllRepositories: option.includes_all_repositories,
  canCreateRepositories: option.can_create_org_repo,
});
