import type { ReviewEvent } from "../../../../events/review-events.ts";
import type { FoundPull } from "../../pulls/model.ts";
import type { ReviewRow } from "../model.ts";

/** Event data of a review. */
export const reviewEventOf = ({ issue, issueId, repoId }: FoundPull, { id, kind, anchorId }: ReviewRow): ReviewEvent => ({
  repoId,
  issueId,
  number: issue.number,
  isPull: true,
  title: issue.title,
  reviewId: id,
  kind: kind === "approve" || kind === "reject" ? kind : "comment",
  commentId: anchorId,
});
