import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Urls } from "../../../../core/urls.ts";
import { repository } from "../../../../http/access.ts";
import { empty, json } from "../../../../http/answers.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { EditIssueCommentOption } from "../../../../wire/comment.ts";
import { PullReviewComment } from "../../../../wire/review.ts";
import type { ReviewCommentView } from "../model.ts";
import { presentReviewComment } from "../present.ts";
import { setResolved } from "../service/change.ts";
import { listReviewComments, type ReviewDeps } from "../service/find.ts";
import { editLineComment, type OwnComment, removeLineComment } from "../service/own-comments.ts";

const one = "/repos/{owner}/{repo}/pulls/comments/{id}";
const common = { tag: "repository", scope: "repository", access: repository.signedIn({ archived: "refused" }) } as const;

/** Comments on lines: their authors can edit them, and conversations can be resolved by any of their comments. */
export function reviewCommentRoutes(deps: ReviewDeps & { readonly urls: Urls }): Route[] {
  return [
    defineRoute({
      ...common,
      id: "repoEditPullReviewComment",
      method: "PATCH",
      path: one,
      summary: "Edit a comment on lines",
      body: EditIssueCommentOption,
      answers: json(200, PullReviewComment),
      refusals: { 403: "forbidden", 404: "notFound", 422: "validationError" },
      handle: async ({ actor, repository, params, body }) => {
        const own = await editLineComment(deps, actor, repository, params.id, { content: body.body, seenVersion: undefined });
        return presentReviewComment(await viewOf(deps, actor, repository, own), actor, deps.urls);
      },
    }),
    defineRoute({
      ...common,
      id: "repoDeletePullReviewComment",
      method: "DELETE",
      path: one,
      summary: "Delete a comment on lines, and its review if nothing else is left in it",
      answers: empty(),
      refusals: { 403: "forbidden", 404: "notFound" },
      handle: async ({ actor, repository, params }) => void (await removeLineComment(deps, actor, repository, params.id)),
    }),
    ...(["resolve", "unresolve"] as const).map((verb) =>
      defineRoute({
        ...common,
        id: verb === "resolve" ? "repoResolvePullReviewComment" : "repoUnresolvePullReviewComment",
        method: "POST",
        path: `${one}/${verb}`,
        summary: verb === "resolve" ? "Resolve the conversation of a comment" : "Open a conversation again",
        answers: empty(),
        refusals: { 400: "validationError", 403: "forbidden", 404: "notFound" },
        handle: ({ actor, repository, params }) => setResolved(deps, actor, repository, params.id, verb === "resolve"),
      }),
    ),
  ];
}

/** The comment at its current lines. @throws ForgeError `not_found` if it has been deleted */
async function viewOf(deps: ReviewDeps, actor: Actor, repository: RepositorySubject, { pull, comment }: OwnComment): Promise<ReviewCommentView> {
  const comments = await listReviewComments(deps, actor, repository, { number: String(pull.number), id: String(comment.reviewId) });
  const view = comments.find(({ id }) => id === comment.id);
  if (view === undefined) throw notFound();
  return view;
}
