import type { Reader } from "../../../../db/db.ts";
import type { ReviewCommentRow, ReviewRow } from "../model.ts";
import { listCommentsOf } from "../store/comments.ts";
import { loadReviewRows } from "../store/reviews.ts";

/** What somebody said of a pull request, as he said it. */
export interface SubmittedReview extends ReviewRow {
  /** The oldest first. */
  readonly comments: readonly ReviewCommentRow[];
}

/** A review of a pull request with its comments, without looking at any code; undefined for one that is gone or pending. Two statements. */
export async function readSubmittedReview(deps: { readonly db: Reader }, issueId: number, reviewId: number): Promise<SubmittedReview | undefined> {
  const [review] = await loadReviewRows(deps.db, issueId, [reviewId]);
  return review && { ...review, comments: await listCommentsOf(deps.db, review.id) };
}
