import type { Db } from "../../../../db/db.ts";
import { repository } from "../../../../http/access.ts";
import { raw } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { jsonType } from "../../../../http/replies.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { issuePath, pullPath } from "../../../../ui/addresses.ts";
import { inPlace, int, list, text } from "../../../../wire/schema.ts";
import { suggestIssues } from "./service/suggest.ts";

const Suggestion = inPlace({ number: int(), title: text(), path: text() });

/** Depends on the reader's current access. */
const headers = { "content-type": jsonType, "cache-control": "private, no-store", "x-content-type-options": "nosniff" };

/** Suggestions for page scripts while a user types a reference. */
export const suggestionRoutes = (deps: { readonly db: Db }): Route[] => [
  defineRoute({
    id: "suggestIssues",
    method: "GET",
    mount: "root",
    path: "/{owner}/{repo}/issues/suggestions",
    tag: "issue",
    isUnlisted: true,
    summary: "Suggest issues and pull requests for a number or words",
    access: repository.visible,
    scope: "issue",
    query: { q: query.text("A number, or words") },
    answers: raw(["application/json"], 200, list(Suggestion)),
    handle: async ({ repository, query }) => {
      const found = await suggestIssues(deps, repository, (query.q ?? "").trim());
      const suggestions = found.map((issue) => ({
        number: issue.number,
        title: issue.title,
        path: (issue.isPull ? pullPath : issuePath)(repository, issue.number),
      }));
      return { status: 200, headers, body: JSON.stringify(suggestions) };
    },
  }),
];
