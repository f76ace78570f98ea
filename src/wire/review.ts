import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { bool, choice, field, int, list, nullable, option, optional, record, text, time, usually } from "./schema.ts";
import { Team } from "./team.ts";
import { User } from "./user.ts";

const states = ["APPROVED", "PENDING", "COMMENT", "REQUEST_CHANGES", "REQUEST_REVIEW"] as const;

export const PullReview = record("PullReview", {
  id: int(),
  user: nullable(User),
  /** Author on the server the review was migrated from; left out for a local review. */
  original_author: optional(text()),
  original_author_id: optional(int()),
  team: nullable(Team),
  state: choice(...states),
  body: text(),
  /** Empty for a review request. */
  commit_id: text(),
  stale: bool(),
  official: bool(),
  dismissed: bool(),
  comments_count: int(),
  submitted_at: time(),
  updated_at: time(),
  /** Empty if no page shows it. */
  html_url: text(),
  pull_request_url: text(),
});
export type PullReview = Static<typeof PullReview>;

export const PullReviewComment = record("PullReviewComment", {
  id: int(),
  body: text(),
  user: nullable(User),
  /** Author on the server the comment was migrated from; left out for a local comment. */
  original_author: optional(text()),
  original_author_id: optional(int()),
  resolver: nullable(User),
  pull_request_review_id: int(),
  created_at: time(),
  updated_at: time(),
  path: text(),
  commit_id: text(),
  original_commit_id: text(),
  diff_hunk: text(),
  /** The line on the new side; 0 for a comment on the old one. */
  position: int(),
  /** The line on the old side; 0 for a comment on the new one. */
  original_position: int(),
  /** First line of a multi-line comment, on the side of its last line; left out for a single line. */
  start_position: optional(int()),
  /** True if the commented line no longer exists; otherwise left out. */
  outdated: optional(bool()),
  html_url: text(),
  pull_request_url: text(),
});
export type PullReviewComment = Static<typeof PullReviewComment>;

export const CreatePullReviewComment = option("CreatePullReviewComment", {
  path: field("Path", text(lengths.path)),
  body: field("Body", text(lengths.content)),
  old_position: field("OldLineNum", int()),
  new_position: field("NewLineNum", int()),
  /** First line of a multi-line comment; the position is the last. */
  start_position: field("StartLineNum", int()),
});
export type CreatePullReviewComment = Static<typeof CreatePullReviewComment>;

export const CreatePullReviewOptions = option("CreatePullReviewOptions", {
  event: field("Event", usually(...states)),
  body: field("Body", text(lengths.content)),
  commit_id: field("CommitID", text(lengths.ref)),
  comments: field("Comments", nullable(list(CreatePullReviewComment, counts.few))),
});
export type CreatePullReviewOptions = Static<typeof CreatePullReviewOptions>;

export const SubmitPullReviewOptions = option("SubmitPullReviewOptions", {
  event: field("Event", usually(...states)),
  body: field("Body", text(lengths.content)),
});
export type SubmitPullReviewOptions = Static<typeof SubmitPullReviewOptions>;

export const DismissPullReviewOptions = option("DismissPullReviewOptions", {
  message: field("Message", text(lengths.content)),
  priors: field("Priors", bool()),
});
export type DismissPullReviewOptions = Static<typeof DismissPullReviewOptions>;

export const PullReviewRequestOptions = option("PullReviewRequestOptions", {
  reviewers: field("Reviewers", nullable(list(text(lengths.line), counts.few))),
  team_reviewers: field("TeamReviewers", nullable(list(text(lengths.line), counts.few))),
});
export type PullReviewRequestOptions = Static<typeof PullReviewRequestOptions>;
