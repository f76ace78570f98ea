import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface ReviewTables {
  reviews: ReviewsTable;
  review_comments: ReviewCommentsTable;
  viewed_files: ViewedFilesTable;
}

/** `pending`: not submitted, seen by its author alone. `request`: somebody or a team is asked for one. */
export type ReviewKind = "approve" | "reject" | "comment" | "pending" | "request";

/** What people say of a pull request as a whole, and whom it waits for. Whether a review is stale follows from it and from where the head is now. */
export interface ReviewsTable {
  id: Generated<number>;
  /** The pull request, as an issue. */
  issue_id: number;
  kind: ReviewKind;
  /** Null: the account is gone, or a team is asked. */
  reviewer_id: number | null;
  /** Of requests: the team that is asked. */
  team_id: number | null;
  content: string;
  /** The commit that it names; empty for requests. */
  commit_oid: string;
  /** The head that it was given for: with another one, it is stale. */
  seen_oid: string;
  /** The base that it was given for: with another one, it is stale too. */
  base_branch: string;
  /** It counts for the rules of the base branch. */
  is_official: Flag;
  is_dismissed: Generated<Flag>;
  /** What the timeline tells of it. */
  entry_id: number | null;
  created_ms: Millis;
  updated_ms: Millis;
}

/** Where the comments of reviews stand: each is a comment of kind `code`, or `code_draft` while its review is pending. */
export interface ReviewCommentsTable {
  comment_id: number;
  review_id: number;
  issue_id: number;
  /** The comment that began the conversation; it may be gone. */
  thread_id: number;
  path: string;
  side: "old" | "new";
  /** From 1, in the file as `written_oid` has it; of several lines the last. */
  line: number;
  /** The first of several lines; null: there is one. */
  start_line: number | null;
  /** The commit in which the line was commented on: the head of that moment, for old lines the merge base. */
  written_oid: string;
  /** The commit that the line comes from. */
  commit_oid: string;
  /** The diff down to the line, as it was seen. */
  hunk: string;
  /** Who has resolved the conversation, on each of its comments. */
  resolver_id: number | null;
}

/** Files of pull requests that somebody has looked at: as they were then, since a file that changes has to be looked at again. */
export interface ViewedFilesTable {
  account_id: number;
  issue_id: number;
  /** A digest of its path and of what it was. */
  file_key: string;
}
