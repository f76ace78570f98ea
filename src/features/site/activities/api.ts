import { invalid } from "../../../core/errors.ts";
import type { Page } from "../../../core/paging.ts";
import { parseTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import { account, organization, repository, team } from "../../../http/access.ts";
import { json, list } from "../../../http/answers.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { Activity, UserHeatmapData } from "../../../wire/activity.ts";
import { list as listOf } from "../../../wire/schema.ts";
import { presentActivities, presentContribution } from "./present.ts";
import { type FeedDeps, type FeedQuery, listOrganizationFeed, listRepositoryFeed, listTeamFeed, listUserFeed, loadHeatmap } from "./service/feeds.ts";

export interface ActivityApiDeps extends FeedDeps {
  readonly urls: Urls;
}

const byDay = { date: query.text("Only activity on this day (UTC), such as 2026-01-31") };

/** @throws ForgeError `invalid` for an invalid day */
function readQuery(date: string | undefined, page: Page): FeedQuery {
  if (date === undefined || date === "") return { dayMs: undefined, page };
  const dayMs = parseTime(`${date}T00:00:00Z`);
  if (dayMs === undefined) throw invalid(`date: "${date}" is not a day such as 2026-01-31`);
  return { dayMs, page };
}

/** Activity feeds and the contribution heatmap. */
export function activityRoutes(deps: ActivityApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      id: "userListActivityFeeds",
      method: "GET",
      path: "/users/{username}/activities/feeds",
      tag: "user",
      summary: "List the activity of a user and of the repositories that they watch",
      access: account.visible,
      scope: "user",
      query: { "only-performed-by": query.bool("Only the user's own actions"), ...byDay },
      answers: list(Activity, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, account, query, page }) => {
        const isOwnOnly = query["only-performed-by"] ?? false;
        const { items, total } = await listUserFeed(deps, actor, account, { ...readQuery(query.date, page), isOwnOnly });
        return { total, items: presentActivities(items, actor, urls, account.id) };
      },
    }),
    defineRoute({
      id: "orgListActivityFeeds",
      method: "GET",
      path: "/orgs/{org}/activities/feeds",
      tag: "organization",
      summary: "List the activity in the repositories of an organization",
      access: organization.visible,
      scope: "organization",
      query: byDay,
      answers: list(Activity, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, organization, query, page }) => {
        const { items, total } = await listOrganizationFeed(deps, actor, organization, readQuery(query.date, page));
        return { total, items: presentActivities(items, actor, urls, organization.id) };
      },
    }),
    defineRoute({
      id: "orgListTeamActivityFeeds",
      method: "GET",
      path: "/teams/{id}/activities/feeds",
      tag: "organization",
      summary: "List the activity in the repositories of a team",
      access: team.member,
      scope: "organization",
      query: byDay,
      answers: list(Activity, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, team, query, page }) => {
        const { items, total } = await listTeamFeed(deps, actor, team, readQuery(query.date, page));
        return { total, items: presentActivities(items, actor, urls, team.organization.id) };
      },
    }),
    defineRoute({
      id: "repoListActivityFeeds",
      method: "GET",
      path: "/repos/{owner}/{repo}/activities/feeds",
      tag: "repository",
      summary: "List the activity in a repository",
      access: repository.visible,
      scope: "repository",
      query: byDay,
      answers: list(Activity, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, query, page }) => {
        const { items, total } = await listRepositoryFeed(deps, actor, repository, readQuery(query.date, page));
        return { total, items: presentActivities(items, actor, urls) };
      },
    }),
    defineRoute({
      id: "userGetHeatmapData",
      method: "GET",
      path: "/users/{username}/heatmap",
      tag: "user",
      summary: "Get a user's number of actions per quarter of an hour for the last year",
      access: account.visible,
      scope: "user",
      answers: json(200, listOf(UserHeatmapData)),
      refusals: { 404: "notFound" },
      handle: async ({ actor, account }) => (await loadHeatmap(deps, actor, account)).map(presentContribution),
    }),
  ];
}
