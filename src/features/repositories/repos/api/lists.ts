import { isUser } from "../../../../access/actor.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Reader } from "../../../../db/db.ts";
import { account, anyone, organization, signedIn } from "../../../../http/access.ts";
import { envelope, list } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { Repository, SearchResults } from "../../../../wire/repository.ts";
import { presentRepositories } from "../present.ts";
import { listOwnedRepositories, listOwnRepositories, searchRepositories } from "../service/search.ts";

export interface RepositoryListDeps {
  readonly db: Reader;
  readonly urls: Urls;
}

/** Lists of repositories. Each contains, and counts, only repositories that the caller can read. */
export function repositoryListRoutes(deps: RepositoryListDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "repoSearch",
      method: "GET",
      path: "/repos/search",
      tag: "repository",
      summary: "Search repositories",
      access: anyone,
      scope: "repository",
      query: {
        q: query.text("Part of a name, or of `owner/name`"),
        topic: query.bool("Treat the search string as the name of a topic"),
        includeDesc: query.bool("Also search descriptions"),
        uid: query.integer("Only repositories of this account and those shared with it"),
        priority_owner_id: query.integer("List repositories of this account first"),
        team_id: query.integer("Only repositories of this team"),
        starredBy: query.integer("Only repositories that this user has starred"),
        private: query.bool("False: exclude private repositories"),
        is_private: query.bool("Only private repositories, or only public ones"),
        template: query.bool("Only templates, or no templates"),
        archived: query.bool("Only archived repositories, or no archived ones"),
        mode: query.text("Kind of repository: fork, source, mirror or collaborative"),
        exclusive: query.bool("Only repositories owned by the account of `uid`"),
        sort: query.text("Sort order: alpha, created, updated, size, git_size, lfs_size, stars, forks or id"),
        order: query.text("Sort direction, if `sort` is given: asc or desc"),
      },
      answers: envelope(SearchResults, "links"),
      refusals: { 422: "validationError" },
      handle: async ({ actor, query: requested, page }) => {
        const found = await searchRepositories(
          deps,
          actor,
          {
            text: requested.q ?? "",
            searchesTopics: requested.topic ?? false,
            searchesDescriptions: requested.includeDesc ?? false,
            accountId: requested.uid,
            isOwnedOnly: requested.exclusive ?? false,
            priorityOwnerId: requested.priority_owner_id,
            teamId: requested.team_id,
            starredBy: requested.starredBy,
            includesPrivate: isUser(actor) && (requested.private ?? true),
            isPrivate: requested.is_private,
            isTemplate: requested.template,
            isArchived: requested.archived,
            mode: requested.mode ?? "",
            sort: requested.sort ?? "",
            order: requested.order ?? "",
          },
          page,
        );
        return { total: found.total, body: { ok: true, data: presentRepositories(found.items, actor, urls) } };
      },
    }),
    defineRoute({
      id: "userCurrentListRepos",
      method: "GET",
      path: "/user/repos",
      tag: "user",
      summary: "List the repositories that the authenticated user owns or can access explicitly",
      access: signedIn,
      scope: ["user", "repository"],
      answers: list(Repository, "links"),
      handle: async ({ actor, page }) => {
        const found = await listOwnRepositories(deps, actor, page);
        return { total: found.total, items: presentRepositories(found.items, actor, urls) };
      },
    }),
    defineRoute({
      id: "userListRepos",
      method: "GET",
      path: "/users/{username}/repos",
      tag: "user",
      summary: "List the repositories of a user",
      access: account.visible,
      scope: ["user", "repository"],
      answers: list(Repository, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, account, page }) => {
        const found = await listOwnedRepositories(deps, actor, account.id, page);
        return { total: found.total, items: presentRepositories(found.items, actor, urls) };
      },
    }),
    defineRoute({
      id: "orgListRepos",
      method: "GET",
      path: "/orgs/{org}/repos",
      tag: "organization",
      summary: "List the repositories of an organization",
      access: organization.visible,
      scope: "organization",
      answers: list(Repository, "links"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, organization, page }) => {
        const found = await listOwnedRepositories(deps, actor, organization.id, page);
        return { total: found.total, items: presentRepositories(found.items, actor, urls) };
      },
    }),
  ];
}
