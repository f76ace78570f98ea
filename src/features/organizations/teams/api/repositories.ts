import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import { repository, team } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { Repository } from "../../../../wire/repository.ts";
import { Team } from "../../../../wire/team.ts";
import { presentRepositories, presentRepository } from "../../../repositories/repos/present.ts";
import { presentTeam } from "../../orgs/present.ts";
import {
  addTeamOfRepository,
  getRepositoryOfTeam,
  getTeamOfRepository,
  giveRepository,
  listRepositoriesOfTeam,
  listTeamsOfRepository,
  removeTeamOfRepository,
  takeRepository,
} from "../service/repositories.ts";

export interface TeamRepositoryApiDeps {
  readonly db: Db;
  readonly urls: Urls;
}

export function teamRepositoryRoutes(deps: TeamRepositoryApiDeps): Route[] {
  const { urls } = deps;
  return [
    ...repositoryTeamRoutes(deps),
    defineRoute({
      id: "orgListTeamRepos",
      method: "GET",
      path: "/teams/{id}/repos",
      tag: "organization",
      summary: "List the repositories of a team",
      access: team.member,
      scope: "organization",
      answers: list(Repository, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, team, page }) => {
        const found = await listRepositoriesOfTeam(deps, actor, team, page);
        return { total: found.total, items: presentRepositories(found.items, actor, urls) };
      },
    }),
    defineRoute({
      id: "orgListTeamRepo",
      method: "GET",
      path: "/teams/{id}/repos/{org}/{repo}",
      tag: "organization",
      summary: "Get a repository of a team",
      access: team.member,
      scope: "organization",
      answers: json(200, Repository),
      refusals: { 404: "notFound" },
      handle: async ({ actor, team, params }) =>
        presentRepository(await getRepositoryOfTeam(deps, actor, team, { owner: params.org, repo: params.repo }), actor, urls),
    }),
    defineRoute({
      id: "orgAddTeamRepository",
      method: "PUT",
      path: "/teams/{id}/repos/{org}/{repo}",
      tag: "organization",
      summary: "Add a repository of the organization to a team",
      access: team.member,
      scope: "organization",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, team, params }) => giveRepository(deps, actor, team, { owner: params.org, repo: params.repo }),
    }),
    defineRoute({
      id: "orgRemoveTeamRepository",
      method: "DELETE",
      path: "/teams/{id}/repos/{org}/{repo}",
      tag: "organization",
      summary: "Remove a repository from a team",
      access: team.member,
      scope: "organization",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, team, params }) => takeRepository(deps, actor, team, { owner: params.org, repo: params.repo }),
    }),
  ];
}

function repositoryTeamRoutes(deps: TeamRepositoryApiDeps): Route[] {
  return [
    defineRoute({
      id: "repoListTeams",
      method: "GET",
      path: "/repos/{owner}/{repo}/teams",
      tag: "repository",
      summary: "List the teams of a repository that the caller can see",
      access: repository.signedIn(),
      scope: "repository",
      answers: list(Team, "none"),
      refusals: { 404: "notFound", 405: "error" },
      handle: async ({ actor, repository }) => {
        const teams = await listTeamsOfRepository(deps, actor, repository);
        return { total: teams.length, items: teams.map(presentTeam) };
      },
    }),
    defineRoute({
      id: "repoCheckTeam",
      method: "GET",
      path: "/repos/{owner}/{repo}/teams/{team}",
      tag: "repository",
      summary: "Get a team of a repository",
      access: repository.signedIn(),
      scope: "repository",
      answers: json(200, Team),
      refusals: { 404: "notFound", 405: "error" },
      handle: async ({ actor, repository, params }) => presentTeam(await getTeamOfRepository(deps, actor, repository, params.team)),
    }),
    defineRoute({
      id: "repoAddTeam",
      method: "PUT",
      path: "/repos/{owner}/{repo}/teams/{team}",
      tag: "repository",
      summary: "Add a team to a repository",
      access: repository.admin(),
      scope: "repository",
      answers: empty(),
      refusals: { 404: "notFound", 405: "error", 422: "validationError" },
      handle: ({ actor, repository, params }) => addTeamOfRepository(deps, actor, repository, params.team),
    }),
    defineRoute({
      id: "repoDeleteTeam",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/teams/{team}",
      tag: "repository",
      summary: "Remove a team from a repository",
      access: repository.admin(),
      scope: "repository",
      answers: empty(),
      refusals: { 404: "notFound", 405: "error", 422: "validationError" },
      handle: ({ actor, repository, params }) => removeTeamOfRepository(deps, actor, repository, params.team),
    }),
  ];
}
