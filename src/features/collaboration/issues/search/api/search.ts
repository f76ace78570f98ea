import type { Urls } from "../../../../../core/urls.ts";
import type { Db } from "../../../../../db/db.ts";
import { anyone } from "../../../../../http/access.ts";
import { list } from "../../../../../http/answers.ts";
import { query } from "../../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../../http/route.ts";
import { Issue } from "../../../../../wire/issue.ts";
import { createIssuePresenter } from "../../present.ts";
import { searchIssues } from "../service/search.ts";
import { namedOrders, orderNamed } from "./named-order.ts";

/** Issues of all repositories that the caller reads. */
export function issueSearchRoutes(deps: { readonly db: Db; readonly urls: Urls }): Route[] {
  return [
    defineRoute({
      id: "issueSearchIssues",
      method: "GET",
      path: "/repos/issues/search",
      tag: "issue",
      summary: "Look for issues and pull requests in all repositories",
      access: anyone,
      scope: "issue",
      query: {
        state: query.text("Open ones by default", ["open", "closed", "all"]),
        labels: query.commaSeparated("Names of labels, parted by commas: only what has one of them"),
        milestones: query.commaSeparated("Titles of milestones, parted by commas: only what has one of them"),
        q: query.text("Words, each a part of the title, the text or a comment"),
        type: query.text("Both by default", ["issues", "pulls"]),
        since: query.time("Only what was updated at or after this time"),
        before: query.time("Only what was updated at or before this time"),
        assigned: query.bool("Only what is assigned to the caller"),
        created: query.bool("Only what the caller opened"),
        mentioned: query.bool("Only what mentions the caller"),
        review_requested: query.bool("Only what waits for the caller's review"),
        reviewed: query.bool("Only what the caller reviewed"),
        owner: query.text("Only in repositories of this user or organization"),
        created_by: query.text("Only what this user opened"),
        team: query.text("Only in repositories of this team of the owner"),
        sort: query.text("The order; the newest first by default", Object.keys(namedOrders)),
      },
      answers: list(Issue, "links"),
      refusals: { 400: "error", 422: "validationError" },
      handle: async ({ actor, query, page }) => {
        const wanted = {
          state: query.state ?? "",
          type: query.type ?? "",
          text: query.q ?? "",
          labels: query.labels,
          milestones: query.milestones,
          createdBy: query.created_by ?? "",
          owner: query.owner ?? "",
          team: query.team ?? "",
          isOwn: query.created === true,
          isAssigned: query.assigned === true,
          isMentioned: query.mentioned === true,
          isRequested: query.review_requested === true,
          isReviewed: query.reviewed === true,
          sinceMs: query.since,
          beforeMs: query.before,
          order: orderNamed(query.sort),
        };
        const { items, total } = await searchIssues(deps, actor, wanted, page);
        return { items: items.map(createIssuePresenter(actor, deps.urls).issue), total };
      },
    }),
  ];
}
