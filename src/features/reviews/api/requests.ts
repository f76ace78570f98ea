import type { Urls } from "../../../core/urls.ts";
import { repository } from "../../../http/access.ts";
import { empty, json } from "../../../http/answers.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { PullReview, PullReviewRequestOptions } from "../../../wire/review.ts";
import { list } from "../../../wire/schema.ts";
import { presentReview } from "../present.ts";
import { setResolved } from "../service/change.ts";
import type { ReviewDeps } from "../service/find.ts";
import { requestReviews, withdrawRequests } from "../service/requests.ts";

const reviewer = repository.signedIn({ archived: "refused" });
const common = { tag: "repository", scope: "repository" } as const;
const reviews = list(PullReview);

const readNames = (body: PullReviewRequestOptions) => ({ users: body.reviewers ?? [], teams: body.team_reviewers ?? [] });

/** Who is asked for a review, and conversations on lines that are resolved. */
export function reviewRequestRoutes(deps: ReviewDeps & { readonly urls: Urls }): Route[] {
  return [
    defineRoute({
      ...common,
      id: "repoCreatePullReviewRequests",
      method: "POST",
      path: "/repos/{owner}/{repo}/pulls/{index}/requested_reviewers",
      summary: "Ask users and teams for reviews",
      access: reviewer,
      body: PullReviewRequestOptions,
      answers: json(201, reviews),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: async ({ actor, repository, params, body }) => {
        const requests = await requestReviews(deps, actor, repository, params.index, readNames(body));
        return requests.map((request) => presentReview(request, actor, deps.urls));
      },
    }),
    defineRoute({
      ...common,
      id: "repoDeletePullReviewRequests",
      method: "DELETE",
      path: "/repos/{owner}/{repo}/pulls/{index}/requested_reviewers",
      summary: "Ask users and teams no longer",
      access: reviewer,
      body: PullReviewRequestOptions,
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound", 422: "validationError" },
      handle: ({ actor, repository, params, body }) => withdrawRequests(deps, actor, repository, params.index, readNames(body)),
    }),
    ...(["resolve", "unresolve"] as const).map((verb) =>
      defineRoute({
        ...common,
        id: verb === "resolve" ? "repoResolvePullReviewComment" : "repoUnresolvePullReviewComment",
        method: "POST",
        path: `/repos/{owner}/{repo}/pulls/comments/{id}/${verb}`,
        summary: verb === "resolve" ? "End the conversation that a comment belongs to" : "Open a conversation again",
        access: reviewer,
        answers: empty(),
        refusals: { 400: "validationError", 403: "forbidden", 404: "notFound" },
        handle: ({ actor, repository, params }) => setResolved(deps, actor, repository, params.id, verb === "resolve"),
      }),
    ),
  ];
}
