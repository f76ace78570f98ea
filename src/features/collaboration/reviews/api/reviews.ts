import type { Urls } from "../../../../core/urls.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json, list } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import {
  type CreatePullReviewComment,
  CreatePullReviewOptions,
  DismissPullReviewOptions,
  PullReview,
  PullReviewComment,
  SubmitPullReviewOptions,
} from "../../../../wire/review.ts";
import type { ReviewInput } from "../model.ts";
import { presentReview, presentReviewComment } from "../present.ts";
import { dismissReview, removeReview, undismissReview } from "../service/change.ts";
import { getReview, listReviewComments, listReviews, type ReviewDeps } from "../service/find.ts";
import { createReview, submitReview } from "../service/submit.ts";

export interface ReviewApiDeps extends ReviewDeps {
  readonly urls: Urls;
}

const reader = repository.reader("repo.pulls");
/** A signed-in user who reads pull requests; the service authorizes them. */
const reviewer = repository.signedIn({ archived: "refused" });
const common = { tag: "repository", scope: "repository" } as const;
const one = "/repos/{owner}/{repo}/pulls/{index}/reviews/{id}";

const kinds: Readonly<Record<string, ReviewInput["kind"]>> = { APPROVED: "approve", REQUEST_CHANGES: "reject", COMMENT: "comment" };
/** @compat an unknown event starts a pending review (reviews/api/reviews.test.ts) */
const kindOf = (event: string): ReviewInput["kind"] => kinds[event] ?? "pending";

/** @compat an old line takes precedence over a new line (reviews/api/lines.test.ts) */
function readComment({
  path,
  body,
  old_position: older,
  new_position: newer,
  start_position: first,
}: CreatePullReviewComment): ReviewInput["comments"][number] {
  const line = older > 0 ? older : newer;
  return { path, content: body, side: older > 0 ? "old" : "new", line, startLine: first === 0 ? line : first };
}

/** Reviews of pull requests. */
export function reviewRoutes(deps: ReviewApiDeps): Route[] {
  const { urls } = deps;
  return [
    defineRoute({
      ...common,
      id: "repoListPullReviews",
      method: "GET",
      path: "/repos/{owner}/{repo}/pulls/{index}/reviews",
      summary: "List the reviews and review requests of a pull request, oldest first",
      access: reader,
      answers: list(PullReview, "total"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params, page }) => {
        const { items, total } = await listReviews(deps, actor, repository, params.index, page);
        return { items: items.map((review) => presentReview(review, actor, urls)), total };
      },
    }),
    defineRoute({
      ...common,
      id: "repoCreatePullReview",
      method: "POST",
      path: "/repos/{owner}/{repo}/pulls/{index}/reviews",
      summary: "Review a pull request, or start a pending review",
      access: reviewer,
      body: CreatePullReviewOptions,
      answers: json(200, PullReview),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: async ({ actor, repository, params, body }) => {
        const { event, body: content, commit_id: commitOid } = body;
        const input = { kind: kindOf(event), event, content, commitOid, comments: (body.comments ?? []).map(readComment) };
        return presentReview(await createReview(deps, actor, repository, params.index, input), actor, urls);
      },
    }),
    defineRoute({
      ...common,
      id: "repoGetPullReview",
      method: "GET",
      path: one,
      summary: "Get a review",
      access: reader,
      answers: json(200, PullReview),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params }) =>
        presentReview(await getReview(deps, actor, repository, { number: params.index, id: params.id }), actor, urls),
    }),
    defineRoute({
      ...common,
      id: "repoSubmitPullReview",
      method: "POST",
      path: one,
      summary: "Submit a pending review",
      access: reviewer,
      body: SubmitPullReviewOptions,
      answers: json(200, PullReview),
      refusals: { 404: "notFound", 422: "validationError" },
      handle: async ({ actor, repository, params, body: { event, body: content } }) => {
        const path = { number: params.index, id: params.id };
        return presentReview(await submitReview(deps, actor, repository, path, { kind: kindOf(event), event, content }), actor, urls);
      },
    }),
    defineRoute({
      ...common,
      id: "repoDeletePullReview",
      method: "DELETE",
      path: one,
      summary: "Delete a review with its comments",
      access: reviewer,
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: ({ actor, repository, params }) => removeReview(deps, actor, repository, { number: params.index, id: params.id }),
    }),
    defineRoute({
      ...common,
      id: "repoGetPullReviewComments",
      method: "GET",
      path: `${one}/comments`,
      summary: "List the comments of a review at their current lines",
      access: reader,
      answers: list(PullReviewComment, "none"),
      refusals: { 404: "notFound" },
      handle: async ({ actor, repository, params }) => {
        const comments = await listReviewComments(deps, actor, repository, { number: params.index, id: params.id });
        return { items: comments.map((comment) => presentReviewComment(comment, actor, urls)), total: comments.length };
      },
    }),
    defineRoute({
      ...common,
      id: "repoDismissPullReview",
      method: "POST",
      path: `${one}/dismissals`,
      summary: "Dismiss an approval or change request",
      access: reviewer,
      body: DismissPullReviewOptions,
      answers: json(200, PullReview),
      refusals: { 403: "forbidden", 404: "notFound", 422: "validationError" },
      handle: async ({ actor, repository, params, body }) => {
        const path = { number: params.index, id: params.id };
        return presentReview(await dismissReview(deps, actor, repository, path, { message: body.message, includesEarlier: body.priors }), actor, urls);
      },
    }),
    defineRoute({
      ...common,
      id: "repoUnDismissPullReview",
      method: "POST",
      path: `${one}/undismissals`,
      summary: "Restore a dismissed review",
      access: reviewer,
      answers: json(200, PullReview),
      refusals: { 403: "forbidden", 404: "notFound", 422: "validationError" },
      handle: async ({ actor, repository, params }) =>
        presentReview(await undismissReview(deps, actor, repository, { number: params.index, id: params.id }), actor, urls),
    }),
  ];
}
