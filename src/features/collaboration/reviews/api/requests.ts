import type { Urls } from "../../../../core/urls.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { PullReview, PullReviewRequestOptions } from "../../../../wire/review.ts";
import { list } from "../../../../wire/schema.ts";
import { presentReview } from "../present.ts";
import type { ReviewDeps } from "../service/find.ts";
import { requestReviews, withdrawRequests } from "../service/requests.ts";

const reviewer = repository.signedIn({ archived: "refused" });
const common = { tag: "repository", scope: "repository" } as const;
const reviews = list(PullReview);

const readNames = (body: PullReviewRequestOptions) => ({ users: body.reviewers ?? [], teams: body.team_reviewers ?? [] });

export function reviewRequestRoutes(deps: ReviewDeps & { readonly urls: Urls }): Route[] {
  return [
    defineRoute({
      ...common,
      id: "repoCreatePullReviewRequests",
      method: "POST",
      path: "/repos/{owner}/{repo}/pulls/{index}/requested_reviewers",
      summary: "Request reviews from users and teams",
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
      summary: "Withdraw review requests",
      access: reviewer,
      body: PullReviewRequestOptions,
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound", 422: "validationError" },
      handle: ({ actor, repository, params, body }) => withdrawRequests(deps, actor, repository, params.index, readNames(body)),
    }),
  ];
}
