import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { seeOther } from "../../../../http/form-submit.ts";
import { pullWorkPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { pullPath, type RepositoryName, withQuery } from "../../../../ui/addresses.ts";
import { inPlace, text } from "../../../../wire/schema.ts";
import type { PullView } from "../../pulls/model.ts";
import type { Dismissing } from "../../pulls/views/review-sentences.ts";
import type { ReviewView } from "../model.ts";
import { dismissReview, undismissReview } from "../service/change.ts";
import type { ReviewDeps } from "../service/find.ts";

/** Where verdicts are set aside, and count again. */
export const dismissalPages = (deps: ReviewDeps): Route[] => [
  defineRoute({
    ...pullWorkPage,
    id: "dismissReviewOnPage",
    method: "POST",
    path: "/{owner}/{repo}/pulls/{index}/reviews/{id}/dismissal",
    summary: "Let an approval or a request for changes count no more, or again",
    query: { back: query.integer("The page of the conversation to come back to") },
    body: inPlace({ action: text(), message: text() }),
    handle: async ({ actor, repository, params, body, query }) => {
      const path = { number: params.index, id: params.id };
      const { anchorId } =
        body.action === "undo"
          ? await undismissReview(deps, actor, repository, path)
          : await dismissReview(deps, actor, repository, path, { message: body.message.trim(), includesEarlier: false });
      const page = query.back !== undefined && query.back > 1 ? query.back : undefined;
      return seeOther(`${withQuery(pullPath(repository, Number(params.index)), { page })}${anchorId === null ? "" : `#issuecomment-${anchorId}`}`);
    },
  }),
];

/** What a reader may do about a review, as the services judge it. @param page of the conversation, from 1 */
export function dismissingOf(repository: RepositorySubject & RepositoryName, pull: PullView, review: ReviewView, page: number): Dismissing | undefined {
  const isVerdict = review.kind === "approve" || review.kind === "reject";
  if (!isVerdict || pull.isClosed || repository.isArchived || !atLeast(repository.right.mode, "admin")) return undefined;
  // A rule that dismisses what is stale goes on doing so, and what a later verdict has taken the place of is no longer said.
  if (review.isDismissed && (review.isStale || !review.isOfficial)) return undefined;
  return { path: withQuery(`${pullPath(repository, pull.number)}/reviews/${review.id}/dismissal`, { back: page }), isDismissed: review.isDismissed };
}
