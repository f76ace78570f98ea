import type { Actor } from "../../../access/actor.ts";
import { formatTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import type { PullReview, PullReviewComment } from "../../../wire/review.ts";
import { presentUser } from "../../accounts/users/present.ts";
import { presentTeam } from "../../organizations/orgs/present.ts";
import type { PullLocation, ReviewCommentView, ReviewView } from "./model.ts";

const states = { approve: "APPROVED", reject: "REQUEST_CHANGES", comment: "COMMENT", pending: "PENDING", request: "REQUEST_REVIEW" } as const;

const pageOf = ({ repository, number }: PullLocation, urls: Urls): string => urls.web(repository.ownerName, repository.name, "pulls", number);

/** Only set for imported ones. */
const originalIn = ({ originalAuthor, originalAuthorId }: Pick<ReviewView, "originalAuthor" | "originalAuthorId">) =>
  originalAuthor === "" ? {} : { original_author: originalAuthor, original_author_id: originalAuthorId };

export function presentReview(review: ReviewView, viewer: Actor, urls: Urls): PullReview {
  const page = pageOf(review.place, urls);
  return {
    id: review.id,
    user: review.reviewer === undefined ? null : presentUser(review.reviewer, viewer, urls),
    ...originalIn(review),
    team: review.team === undefined ? null : presentTeam(review.team),
    state: states[review.kind],
    body: review.content,
    commit_id: review.commitOid,
    stale: review.isStale,
    official: review.isOfficial,
    dismissed: review.isDismissed,
    comments_count: review.commentsCount,
    submitted_at: formatTime(review.createdMs),
    updated_at: formatTime(review.updatedMs),
    html_url: review.anchorId === null ? "" : `${page}#issuecomment-${review.anchorId}`,
    pull_request_url: page,
  };
}

export function presentReviewComment(comment: ReviewCommentView, viewer: Actor, urls: Urls): PullReviewComment {
  const page = pageOf(comment.place, urls);
  // @compat an outdated comment keeps its original lines (reviews/api/lines.test.ts)
  const { path, startLine, line } = comment.present ?? comment;
  return {
    id: comment.id,
    body: comment.content,
    user: comment.poster === undefined ? null : presentUser(comment.poster, viewer, urls),
    ...originalIn(comment),
    resolver: comment.resolver === undefined ? null : presentUser(comment.resolver, viewer, urls),
    pull_request_review_id: comment.reviewId,
    created_at: formatTime(comment.createdMs),
    updated_at: formatTime(comment.updatedMs),
    path,
    commit_id: comment.commitOid,
    original_commit_id: "",
    diff_hunk: comment.hunk,
    position: comment.side === "new" ? line : 0,
    original_position: comment.side === "old" ? line : 0,
    start_position: startLine === line ? undefined : startLine,
    outdated: comment.present === undefined ? true : undefined,
    html_url: `${page}#issuecomment-${comment.id}`,
    pull_request_url: page,
  };
}
