import type { Urls } from "../../../../../core/urls.ts";
import type { Db } from "../../../../../db/db.ts";
import { anyone } from "../../../../../http/access.ts";
import { list } from "../../../../../http/answers.ts";
import { query } from "../../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../../http/route.ts";
import { Issue } from "../../../../../wire/issue.ts";
import { createIssuePresenter } from "../../present.ts";
import { searchIssues } from "../service/search.ts";
import { namedOrders, readListQuery } from "./list-query.ts";

/** Issues of all repositories that the caller can read. */
export function issueSearchRoutes(deps: { readonly db: Db; readonly urls: Urls }): Route[] {
  return [
    defineRoute({
      id: "issueSearchIssues",
      method: "GET",
      path: "/repos/issues/search",
      tag: "issue",
      summary: "Search issues and pull requests in all repositories",
      access: anyone,
      scope: "issue",
      query: {
        state: query.text("Defaults to open", ["open", "closed", "all"]),
        labels: query.commaSeparated("Comma-separated label names; only issues with at least one of them"),
        milestones: query.commaSeparated("Comma-separated milestone titles; only issues with one of them"),
        q: query.text("Words that each occur in the title, the text or a comment"),
        type: query.text("Both by default", ["issues", "pulls"]),
        since: query.time("Only issues updated at or after this time"),
        before: query.time("Only issues updated at or before this time"),
        assigned: query.bool("Only issues assigned to the caller"),
        created: query.bool("Only issues opened by the caller"),
        mentioned: query.bool("Only issues that mention the caller"),
        review_requested: query.bool("Only pull requests that await the caller's review"),
        reviewed: query.bool("Only pull requests that the caller reviewed"),
        owner: query.text("Only in repositories of this user or organization"),
        created_by: query.text("Only issues opened by this user"),
        team: query.text("Only in repositories of this team of the owner"),
        sort: query.text("Sort order; newest first by default", Object.keys(namedOrders)),
      },
      answers: list(Issue, "links"),
      refusals: { 400: "error", 422: "validationError" },
      handle: async ({ actor, query, page }) => {
        const wanted = {
          ...readListQuery(query),
          owner: query.owner ?? "",
          team: query.team ?? "",
          isOwn: query.created === true,
          isAssigned: query.assigned === true,
          isMentioned: query.mentioned === true,
          isRequested: query.review_requested === true,
          isReviewed: query.reviewed === true,
        };
        const { items, total } = await searchIssues(deps, actor, wanted, page);
        return { items: items.map(createIssuePresenter(actor, deps.urls).issue), total };
      },
    }),
  ];
}
