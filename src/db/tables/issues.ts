import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface IssueTables {
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
}

/** Issues and pull requests: one numbering, one table. */
export interface IssuesTable {
  id: Generated<number>;
  repo_id: number;
  /** Counted per repository, and never given twice: `repositories.last_issue_number`. Rises with the id. */
  number: number;
  is_pull: Flag;
  /** Null: the account is gone. */
  poster_id: number | null;
  title: string;
  content: string;
  /** Counts up with every edit of the content. */
  content_version: Generated<number>;
  is_closed: Generated<Flag>;
  closed_ms: Millis | null;
  milestone_id: number | null;
  deadline_ms: Millis | null;
  is_locked: Generated<Flag>;
  lock_reason: Generated<string>;
  /** What the poster says that it is about: the name of a branch or tag, or anything else. */
  ref: string;
  time_estimate_seconds: Generated<number>;
  /** Place among the pinned ones of its repository and kind, from 1; 0: not pinned. */
  pin_order: Generated<number>;
  comments_count: Generated<number>;
  /** Who wrote it where it comes from, when it was brought here from another server. */
  original_author: Generated<string>;
  original_author_id: Generated<number>;
  created_ms: Millis;
  updated_ms: Millis;
}

export interface IssueAssigneesTable {
  issue_id: number;
  account_id: number;
  /** Rises with every user whom it is given to. */
  place: number;
  /** Carried over from the issue by the database, for lists that begin here. */
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
}

/** Whom an issue or one of its comments has mentioned. */
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
  | "merge_pull"
  | "pull_push"
  | "change_target_branch"
  | "pull_scheduled_merge"
  | "pull_cancel_scheduled_merge"
  | "code"
  /** Of a review that nobody but its author sees yet. */
  | "code_draft"
  | "review"
  | "review_request"
  | "dismiss_review";

/** What happened to an issue, in the order of ids: what people wrote (`comment`), and everything else that its timeline tells. */
export interface CommentsTable {
  id: Generated<number>;
  issue_id: number;
  repo_id: number;
  kind: CommentKind;
  poster_id: number | null;
  content: string;
  content_version: Generated<number>;
  /** JSON of `CommentFacts` (features/collaboration/issues/conversation/comment-payload.ts): ids and former values that some kinds tell of. */
  facts: Generated<string>;
  /** References: the issue whose text names this one. */
  ref_issue_id: Generated<number | null>;
  /** References: the comment that does. Null: the text of the issue itself. */
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
  /** Who wrote this text. */
  editor_id: number | null;
  content: string;
  /** When it became the text. */
  written_ms: Millis;
}

export interface ReactionsTable {
  id: Generated<number>;
  issue_id: number;
  /** Null: to the issue itself. */
  comment_id: number | null;
  /** Null: of somebody elsewhere who is nobody here. */
  account_id: number | null;
  /** Who reacted where it comes from, when it was brought here from another server. */
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

/** Who asked for or declined news of an issue, whatever else he follows. */
export interface IssueSubscriptionsTable {
  issue_id: number;
  account_id: number;
  is_subscribed: Flag;
  created_ms: Millis;
}

/** A user measures one issue at a time. */
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

/** Files that hang on an issue or a comment. */
export interface AttachmentsTable {
  id: Generated<number>;
  uuid: string;
  repo_id: number;
  /** Either this or `release_id` is set. */
  issue_id: number | null;
  /** Set with `issue_id`: the comment that it hangs on. */
  comment_id: number | null;
  release_id: number | null;
  /** Null: the account is gone. */
  uploader_id: number | null;
  name: string;
  size_bytes: number;
  /** SHA-256 of its content: `stored_files.digest`. */
  digest: string;
  download_count: Generated<number>;
  created_ms: Millis;
}
