import type { Reader } from "../../../../db/db.ts";
import type { ReviewCommentRow, ReviewRow } from "../model.ts";
import { listCommentsOf } from "../store/comments.ts";
import { loadReviewRows } from "../store/reviews.ts";

/** A submitted review with its original content. */
export interface SubmittedReview extends ReviewRow {
  /** Oldest first. */
  readonly comments: readonly ReviewCommentRow[];
}

/** A review with its comments, without reading code; undefined if it is deleted or pending. Two statements. */
export async function readSubmittedReview(deps: { readonly db: Reader }, issueId: number, reviewId: number): Promise<SubmittedReview | undefined> {
  const [review] = await loadReviewRows(deps.db, issueId, [reviewId]);
  return review && { ...review, comments: await listCommentsOf(deps.db, review.id) };
}
