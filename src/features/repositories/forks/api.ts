import type { Urls } from "../../../core/urls.ts";
import { repository } from "../../../http/access.ts";
import { json, list } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { CreateForkOption, MergeUpstreamRequest, MergeUpstreamResponse } from "../../../wire/fork.ts";
import { Repository } from "../../../wire/repository.ts";
import { presentNewCopy, presentRepositories } from "../repos/present.ts";
import { listForks } from "../repos/service/search.ts";
import { type ForkDeps, forkRepository } from "./service/fork.ts";
import { type MergeUpstreamDeps, mergeUpstream } from "./service/merge-upstream.ts";

export interface ForkApiDeps extends ForkDeps, MergeUpstreamDeps {
  readonly urls: Urls;
}

/** Routes for creating and listing forks, and for merging upstream changes. */
export function forkRoutes(deps: ForkApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "listForks",
      method: "GET",
      path: "/repos/{owner}/{repo}/forks",
      tag: "repository",
      summary: "List the forks of a repository that the caller can read",
      access: repository.visible,
      scope: "repository",
      answers: list(Repository, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, page }) => {
        const found = await listForks(deps, actor, repository.id, page);
        return { total: found.total, items: presentRepositories(found.items, actor, urls) };
      },
    }),
    defineRoute({
      id: "createFork",
      method: "POST",
      path: "/repos/{owner}/{repo}/forks",
      tag: "repository",
      summary: "Fork a repository",
      access: repository.signedIn(),
      scope: "repository",
      body: CreateForkOption,
      answers: json(202, Repository),
      refusals: { 403: "forbidden", 404: "notFound", 409: "conflict", 422: "validationError" },
      handle: async ({ actor, repository, body }) => {
        const input = { name: body.name ?? "", organization: body.organization ?? "" };
        return presentNewCopy(await forkRepository(deps, actor, repository, input), actor, urls);
      },
    }),
    defineRoute({
      id: "repoMergeUpstream",
      method: "POST",
      path: "/repos/{owner}/{repo}/merge-upstream",
      tag: "repository",
      summary: "Update a branch of a fork from its parent",
      access: repository.writer("repo.code", { archived: "refused" }),
      scope: "repository",
      body: MergeUpstreamRequest,
      answers: json(200, MergeUpstreamResponse),
      refusals: { 400: "error", 404: "notFound" },
      handle: async ({ actor, repository, body }) => ({
        merge_type: (await mergeUpstream(deps, actor, repository, { branch: body.branch, isFastForwardOnly: body.ff_only })).kind,
      }),
    }),
  ];
}
