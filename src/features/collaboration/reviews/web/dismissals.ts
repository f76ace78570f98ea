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

/** Dismiss and restore reviews. */
export const dismissalPages = (deps: ReviewDeps): Route[] => [
  defineRoute({
    ...pullWorkPage,
    id: "dismissReviewOnPage",
    method: "POST",
    path: "/{owner}/{repo}/pulls/{index}/reviews/{id}/dismissal",
    summary: "Dismiss or restore an approval or change request",
    query: { back: query.integer("The page of the conversation to return to") },
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

/** Dismissal actions available to a reader, by the rules of the services. @param page of the conversation, from 1 */
export function dismissingOf(repository: RepositorySubject & RepositoryName, pull: PullView, review: ReviewView, page: number): Dismissing | undefined {
  const isVerdict = review.kind === "approve" || review.kind === "reject";
  if (!isVerdict || pull.isClosed || repository.isArchived || !atLeast(repository.right.mode, "admin")) return undefined;
  // A stale or superseded review cannot be restored.
  if (review.isDismissed && (review.isStale || !review.isOfficial)) return undefined;
  return { path: withQuery(`${pullPath(repository, pull.number)}/reviews/${review.id}/dismissal`, { back: page }), isDismissed: review.isDismissed };
}
