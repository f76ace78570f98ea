import type { Actor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Page, Paged } from "../../../core/paging.ts";
import type { Urls } from "../../../core/urls.ts";
import { repository } from "../../../http/access.ts";
import { either, envelope, list } from "../../../http/answers.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { list as listOf } from "../../../wire/schema.ts";
import { CombinedStatus, CommitStatus, CreateStatusOption } from "../../../wire/status.ts";
import type { StatusListing, StatusOrder, StatusView } from "./model.ts";
import { presentCombinedStatus, presentStatus, type StatusLocation } from "./present.ts";
import { createStatus, getCombinedStatus, listStatuses, listStatusesByRef, type StatusDeps } from "./service.ts";

export interface StatusApiDeps extends StatusDeps {
  readonly urls: Urls;
}

const reader = repository.reader("repo.code");
const common = { tag: "repository", scope: "repository" } as const;

/** @compat sorting by update time equals sorting by creation time, because a status is never updated (statuses/api.test.ts) */
const orders: Readonly<Record<string, StatusOrder>> = {
  oldest: "oldest",
  recentupdate: "newest",
  leastupdate: "oldest",
  leastindex: "lowest",
  highestindex: "highest",
};

const listQuery = {
  sort: query.text("The sort order; newest first by default", Object.keys(orders)),
  state: query.text("Only statuses of this state", ["pending", "success", "error", "failure", "warning"]),
};

/** Routes for commit statuses. */
export function statusRoutes(deps: StatusApiDeps): Route[] {
  const placeOf = (repository: RepositorySubject, viewer: Actor): StatusLocation => ({ fullName: repository.fullName, viewer, urls: deps.urls });
  const combinedOf = async (repository: RepositorySubject, viewer: Actor, rev: string, page: Page) => {
    const combined = await getCombinedStatus(deps, viewer, repository, rev, page);
    return { body: presentCombinedStatus(combined, placeOf(repository, viewer)), total: combined.total };
  };
  const presentList = ({ items, total }: Paged<StatusView>, repository: RepositorySubject, viewer: Actor) => ({
    items: items.map((status) => presentStatus(status, placeOf(repository, viewer))),
    total,
  });
  const listingOf = ({ sort, state }: { readonly sort?: string | undefined; readonly state?: string | undefined }, page: Page): StatusListing => ({
    order: orders[sort ?? ""] ?? "newest",
    state: state || undefined,
    page,
  });
  return [
    defineRoute({
      ...common,
      id: "repoCreateStatus",
      method: "POST",
      path: "/repos/{owner}/{repo}/statuses/{sha+}",
      summary: "Create a commit status",
      access: repository.writer("repo.code"),
      query: { list: query.bool("Return all statuses of the commit instead of the new one") },
      body: CreateStatusOption,
      // Clients accept any 2xx status.
      answers: either(200, CommitStatus, listOf(CommitStatus)),
      refusals: { 400: "error", 404: "notFound" },
      handle: async ({ actor, repository, params, query, body, page }) => {
        const status = { state: body.state, context: body.context, description: body.description, targetUrl: body.target_url };
        const made = presentStatus(await createStatus(deps, actor, repository, params.sha, status), placeOf(repository, actor));
        if (query.list !== true) return made;
        const listed = await listStatusesByRef(deps, repository, params.sha, listingOf({ sort: "highestindex" }, page));
        return presentList(listed, repository, actor).items;
      },
    }),
    defineRoute({
      ...common,
      id: "repoListStatuses",
      method: "GET",
      path: "/repos/{owner}/{repo}/statuses/{sha+}",
      summary: "List the statuses of a commit id; an empty list for an unknown one",
      access: reader,
      query: listQuery,
      answers: list(CommitStatus, "links"),
      refusals: { 400: "error", 404: "notFound" },
      handle: async ({ actor, repository, params, query, page }) =>
        presentList(await listStatuses(deps, repository, params.sha, listingOf(query, page)), repository, actor),
    }),
    defineRoute({
      ...common,
      id: "repoListStatusesByRef",
      method: "GET",
      path: "/repos/{owner}/{repo}/commits/{ref+}/statuses",
      summary: "List the statuses of the commit of a branch, tag or commit id",
      access: reader,
      query: { ...listQuery, combined: query.bool("Return the combined status instead of the list") },
      answers: { ...list(CommitStatus, "links"), alternative: CombinedStatus },
      refusals: { 400: "error", 404: "notFound" },
      handle: async ({ actor, repository, params, query, page }) => {
        if (query.combined !== true) return presentList(await listStatusesByRef(deps, repository, params.ref, listingOf(query, page)), repository, actor);
        const { body, total } = await combinedOf(repository, actor, params.ref, page);
        return { instead: body, total };
      },
    }),
    defineRoute({
      ...common,
      id: "repoGetCombinedStatusByRef",
      method: "GET",
      path: "/repos/{owner}/{repo}/commits/{ref+}/status",
      summary: "Get the combined status of a commit",
      access: reader,
      answers: envelope(CombinedStatus, "links"),
      refusals: { 400: "error", 404: "notFound" },
      handle: ({ actor, repository, params, page }) => combinedOf(repository, actor, params.ref, page),
    }),
  ];
}
