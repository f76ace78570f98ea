import type { Actor } from "../../access/actor.ts";
import type { RepositorySubject } from "../../access/subjects.ts";
import type { Page } from "../../core/paging.ts";
import type { Urls } from "../../core/urls.ts";
import { repository } from "../../http/access.ts";
import { envelope, json, list } from "../../http/answers.ts";
import { query } from "../../http/query.ts";
import { defineRoute, type Route } from "../../http/route.ts";
import { CombinedStatus, CommitStatus, CreateStatusOption } from "../../wire/status.ts";
import { presentCombinedStatus, presentStatus, type StatusPlace } from "./present.ts";
import { createStatus, getCombinedStatus, listStatuses, type StatusDeps } from "./service.ts";
import type { StatusOrder } from "./view.ts";

export interface StatusApiDeps extends StatusDeps {
  readonly urls: Urls;
}

const reader = repository.reader("repo.code");
const common = { tag: "repository", scope: "repository" } as const;

/** @compat the orders by update are those by making: a status is never updated */
const orders: Readonly<Record<string, StatusOrder>> = {
  oldest: "oldest",
  recentupdate: "newest",
  leastupdate: "oldest",
  leastindex: "lowest",
  highestindex: "highest",
};

const listQuery = {
  sort: query.text("The order; the newest first unless given", Object.keys(orders)),
  state: query.text("Only statuses of this state", ["pending", "success", "error", "failure", "warning"]),
};

/** What checks say of commits. */
export function statusRoutes(deps: StatusApiDeps): Route[] {
  const placeOf = (repository: RepositorySubject, viewer: Actor): StatusPlace => ({ fullName: repository.fullName, viewer, urls: deps.urls });
  const combinedOf = async (repository: RepositorySubject, viewer: Actor, rev: string, page: Page) => {
    const combined = await getCombinedStatus(deps, viewer, repository, rev, page);
    return { body: presentCombinedStatus(combined, placeOf(repository, viewer)), total: combined.total };
  };
  const listOf = async (
    repository: RepositorySubject,
    viewer: Actor,
    rev: string,
    wish: { sort: string | undefined; state: string | undefined },
    page: Page,
  ) => {
    const { items, total } = await listStatuses(deps, repository, rev, { order: orders[wish.sort ?? ""] ?? "newest", state: wish.state || undefined, page });
    return { items: items.map((status) => presentStatus(status, placeOf(repository, viewer))), total };
  };
  return [
    defineRoute({
      ...common,
      id: "repoCreateStatus",
      method: "POST",
      path: "/repos/{owner}/{repo}/statuses/{sha+}",
      summary: "Say what a check found of a commit",
      access: repository.writer("repo.code"),
      query: { list: query.bool("All statuses of the commit, in place of the new one") },
      body: CreateStatusOption,
      // The status of the document; every client takes any of the 2xx.
      answers: json(200, CommitStatus),
      refusals: { 400: "error", 404: "notFound" },
      handle: async ({ actor, repository, params, query, body, page }) => {
        const status = { state: body.state, context: body.context, description: body.description, targetUrl: body.target_url };
        const made = presentStatus(await createStatus(deps, actor, repository, params.sha, status), placeOf(repository, actor));
        if (query.list !== true) return made;
        const all = await listOf(repository, actor, params.sha, { sort: "highestindex", state: undefined }, page);
        // @compat the one route whose answer a parameter turns into another one
        return all.items as unknown as CommitStatus;
      },
    }),
    defineRoute({
      ...common,
      id: "repoListStatuses",
      method: "GET",
      path: "/repos/{owner}/{repo}/statuses/{sha+}",
      summary: "The statuses of a commit",
      access: reader,
      query: listQuery,
      answers: list(CommitStatus, "links"),
      refusals: { 400: "error", 404: "notFound" },
      handle: ({ actor, repository, params, query, page }) => listOf(repository, actor, params.sha, query, page),
    }),
    defineRoute({
      ...common,
      id: "repoListStatusesByRef",
      method: "GET",
      path: "/repos/{owner}/{repo}/commits/{ref+}/statuses",
      summary: "The statuses of the commit that a branch, a tag or an id leads to",
      access: reader,
      query: { ...listQuery, combined: query.bool("What they say together, in place of the list") },
      answers: list(CommitStatus, "links"),
      refusals: { 400: "error", 404: "notFound" },
      handle: async ({ actor, repository, params, query, page }) => {
        if (query.combined !== true) return listOf(repository, actor, params.ref, query, page);
        const { body, total } = await combinedOf(repository, actor, params.ref, page);
        return { instead: body, total };
      },
    }),
    defineRoute({
      ...common,
      id: "repoGetCombinedStatusByRef",
      method: "GET",
      path: "/repos/{owner}/{repo}/commits/{ref+}/status",
      summary: "What the checks of a commit say together",
      access: reader,
      answers: envelope(CombinedStatus, "links"),
      refusals: { 400: "error", 404: "notFound" },
      handle: ({ actor, repository, params, page }) => combinedOf(repository, actor, params.ref, page),
    }),
  ];
}
