import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface ReviewTables {
  reviews: ReviewsTable;
  review_comments: ReviewCommentsTable;
  viewed_files: ViewedFilesTable;
}

/** `pending`: not submitted, visible only to its author. `request`: a user or team was asked for a review. */
export type ReviewKind = "approve" | "reject" | "comment" | "pending" | "request";

/** Reviews and review requests of a pull request. Whether a review is stale is derived by comparing it with the current head. */
export interface ReviewsTable {
  id: Generated<number>;
  /** The pull request, as an issue. */
  issue_id: number;
  kind: ReviewKind;
  /** Null: the account was deleted, or the request is for a team. */
  reviewer_id: number | null;
  /** For a request: the requested team. */
  team_id: number | null;
  content: string;
  /** The reviewed commit; empty for requests. */
  commit_oid: string;
  /** The head at the time of the review: stale if it differs now. */
  seen_oid: string;
  /** The base branch at the time of the review: also stale if it differs now. */
  base_branch: string;
  /** Counts for the rules of the base branch. */
  is_official: Flag;
  is_dismissed: Generated<Flag>;
  /** Its timeline entry. */
  entry_id: number | null;
  created_ms: Millis;
  updated_ms: Millis;
}

/** Positions of review comments: each is a comment of kind `code`, or `code_draft` while its review is pending. */
export interface ReviewCommentsTable {
  comment_id: number;
  review_id: number;
  issue_id: number;
  /** First comment of the conversation; it may have been deleted. */
  thread_id: number;
  path: string;
  side: "old" | "new";
  /** From 1, in the file at `written_oid`; the last line of a range. */
  line: number;
  /** The first line of a range; null: a single line. */
  start_line: number | null;
  /** The commit that was commented on: the head at the time, or the merge base for lines of the old side. */
  written_oid: string;
  /** The commit that introduced the line. */
  commit_oid: string;
  /** The diff down to the line, as the author saw it. */
  hunk: string;
  /** The user who resolved the conversation, set on each of its comments. */
  resolver_id: number | null;
}

/** Files of pull requests marked as viewed, at their content then: a changed file has to be viewed again. */
export interface ViewedFilesTable {
  account_id: number;
  issue_id: number;
  /** A digest of its path and content. */
  file_key: string;
}
