import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface IssueTables {
  issue_branches: IssueBranchesTable;
  issues: IssuesTable;
  issue_assignees: IssueAssigneesTable;
  issue_labels: IssueLabelsTable;
  issue_mentions: IssueMentionsTable;
  comments: CommentsTable;
  content_history: ContentHistoryTable;
  reactions: ReactionsTable;
  issue_dependencies: IssueDependenciesTable;
  issue_subscriptions: IssueSubscriptionsTable;
  stopwatches: StopwatchesTable;
  tracked_times: TrackedTimesTable;
  attachments: AttachmentsTable;
  issue_totals: IssueTotalsTable;
  bulk_changes: BulkChangesTable;
  issue_redirects: IssueRedirectsTable;
}

/** Number of issues and pull requests by the audience of their repositories, in shards. Maintained by the database. */
export interface IssueTotalsTable {
  /** As in `repositories`. */
  audience: number;
  is_pull: Flag;
  is_closed: Flag;
  shard: number;
  n: number;
}

/** Issues and pull requests share one table and one numbering. */
export interface IssuesTable {
  id: Generated<number>;
  repo_id: number;
  /** Assigned per repository from `repositories.last_issue_number`, never reused. Increases with the id, except of transferred issues. */
  number: number;
  is_pull: Flag;
  /** Null: the account was deleted. */
  poster_id: number | null;
  title: string;
  content: string;
  /** Incremented by every edit of the content. */
  content_version: Generated<number>;
  is_closed: Generated<Flag>;
  closed_ms: Millis | null;
  /** Why it was closed; empty: completed, or not closed. */
  close_reason: Generated<"" | "not_planned" | "duplicate">;
  milestone_id: number | null;
  /** The folded title of its milestone. Maintained by the database. */
  milestone_title: Generated<string | null>;
  deadline_ms: Millis | null;
  is_locked: Generated<Flag>;
  lock_reason: Generated<string>;
  /** Branch or tag given by the poster; an unchecked string. */
  ref: string;
  time_estimate_seconds: Generated<number>;
  /** Position among the pinned ones of its repository and kind, from 1; 0: not pinned. */
  pin_order: Generated<number>;
  comments_count: Generated<number>;
  /** Original author of an issue migrated from another server. */
  original_author: Generated<string>;
  original_author_id: Generated<number>;
  created_ms: Millis;
  /** Time of the last change, by which lists are ordered. On PostgreSQL, changes within an interval share it. */
  updated_ms: Millis;
  /** The exact time of the last change; 0: `updated_ms` is exact. */
  changed_ms: Generated<Millis>;
}

export interface IssueAssigneesTable {
  issue_id: number;
  account_id: number;
  /** Increases with every assignee. */
  position: number;
  /** Copied from the issue by a trigger, for lists that start from this table. */
  repo_id: Generated<number>;
  is_pull: Generated<Flag>;
  is_closed: Generated<Flag>;
}

export interface IssueLabelsTable {
  label_id: number;
  issue_id: number;
  /** As with assignees. */
  repo_id: Generated<number>;
  is_pull: Generated<Flag>;
  is_closed: Generated<Flag>;
  /** The label's. Maintained by the database. */
  name: Generated<string>;
}

/** Users mentioned in an issue or one of its comments. */
export interface IssueMentionsTable {
  account_id: number;
  issue_id: number;
}

export type CommentKind =
  | "comment"
  | "reopen"
  | "close"
  | "issue_ref"
  | "commit_ref"
  | "comment_ref"
  | "pull_ref"
  | "label"
  | "milestone"
  | "assignees"
  | "change_title"
  | "delete_branch"
  | "start_tracking"
  | "stop_tracking"
  | "add_time_manual"
  | "cancel_tracking"
  | "added_deadline"
  | "modified_deadline"
  | "removed_deadline"
  | "add_dependency"
  | "remove_dependency"
  | "lock"
  | "unlock"
  | "delete_time_manual"
  | "change_issue_ref"
  | "pin"
  | "unpin"
  | "change_time_estimate"
  | "transfer"
  | "merge_pull"
  | "pull_push"
  | "change_target_branch"
  | "pull_scheduled_merge"
  | "pull_cancel_scheduled_merge"
  | "code"
  /** A review comment visible only to its author. */
  | "code_draft"
  | "review"
  | "review_request"
  | "dismiss_review";

/** The timeline of an issue, in the order of ids: user comments (`comment`) and all other entries. */
export interface CommentsTable {
  id: Generated<number>;
  issue_id: number;
  repo_id: number;
  kind: CommentKind;
  poster_id: number | null;
  content: string;
  content_version: Generated<number>;
  /** JSON of `CommentPayload` (features/collaboration/issues/conversation/comment-payload.ts): ids and former values of some kinds. */
  payload: Generated<string>;
  /** References: the issue whose text mentions this one. */
  ref_issue_id: Generated<number | null>;
  /** References: the comment with the mention. Null: the text of the issue itself. */
  ref_comment_id: Generated<number | null>;
  original_author: Generated<string>;
  original_author_id: Generated<number>;
  created_ms: Millis;
  updated_ms: Millis;
}

/** Former texts of issues and comments. */
export interface ContentHistoryTable {
  id: Generated<number>;
  issue_id: number;
  /** Null: the text of the issue itself. */
  comment_id: number | null;
  /** Author of this text. */
  editor_id: number | null;
  content: string;
  /** When the text was written. */
  written_ms: Millis;
}

export interface ReactionsTable {
  id: Generated<number>;
  issue_id: number;
  /** Null: on the issue itself. */
  comment_id: number | null;
  /** Null: a user of another server without an account here. */
  account_id: number | null;
  /** Original user of a reaction migrated from another server. */
  original_author: Generated<string>;
  original_author_id: Generated<number>;
  content: string;
  created_ms: Millis;
}

/** `issue_id` cannot be closed before `dependency_id` is. */
export interface IssueDependenciesTable {
  issue_id: number;
  dependency_id: number;
  created_ms: Millis;
}

/** Explicit subscriptions to and unsubscriptions from an issue. */
export interface IssueSubscriptionsTable {
  issue_id: number;
  account_id: number;
  is_subscribed: Flag;
  created_ms: Millis;
}

/** At most one running stopwatch per user. */
export interface StopwatchesTable {
  account_id: number;
  issue_id: number;
  created_ms: Millis;
}

export interface TrackedTimesTable {
  id: Generated<number>;
  issue_id: number;
  repo_id: number;
  account_id: number;
  seconds: number;
  is_deleted: Generated<Flag>;
  created_ms: Millis;
}

/** Attachments of issues, comments and releases. */
export interface AttachmentsTable {
  id: Generated<number>;
  uuid: string;
  repo_id: number;
  /** Either this or `release_id` is set. */
  issue_id: number | null;
  /** Set with `issue_id`: the comment of the attachment. */
  comment_id: number | null;
  release_id: number | null;
  /** Null: the account was deleted. */
  uploader_id: number | null;
  name: string;
  size_bytes: number;
  /** SHA-256 of its content: `stored_files.digest`. */
  digest: string;
  download_count: Generated<number>;
  created_ms: Millis;
}

/** Former numbers of transferred issues. */
export interface IssueRedirectsTable {
  repo_id: number;
  number: number;
  issue_id: number;
}

/** The last change of a user to several issues of a repository, to undo it. */
export interface BulkChangesTable {
  account_id: number;
  repo_id: number;
  /** JSON of `IssueDifference[]` (features/collaboration/issues/planning/model.ts). */
  changes: string;
  created_ms: Millis;
}

/** Branches that were created for issues. Rows of deleted branches remain, so that a restored branch belongs to its issue again. */
export interface IssueBranchesTable {
  issue_id: number;
  /** Short name. */
  branch: string;
  /** The repository of the issue and of the branch. */
  repo_id: number;
  created_ms: Millis;
}
