/** Events that notifications and emails announce to the subscribers of an issue, or to users whom they name. */
export const announcedEventTypes = [
  "issue.created",
  "issue.closed",
  "issue.reopened",
  "issue.assigned",
  "issue.edited",
  "comment.created",
  "comment.edited",
  "review.submitted",
  "review.requested",
  "issue.received",
] as const;

/** Events of issues and pull requests, and of their comments. */
export interface IssueEvents {
  "issue.created": IssueEvent & Mentions;
  "issue.edited": IssueEvent & IssueChanges & Mentions;
  "issue.closed": IssueEvent & ByCommit;
  "issue.reopened": IssueEvent & ByCommit;
  "issue.deleted": IssueEvent & { readonly former: FormerIssue };
  /** The issue has left its repository; recorded for that repository, with its former number. */
  "issue.transferred": IssueEvent & { readonly former: FormerIssue; readonly toRepoId: number; readonly toNumber: number };
  /** The same for the repository that received it, with its new number. */
  "issue.received": IssueEvent & { readonly formerRepoId: number; readonly formerNumber: number };
  "issue.assigned": IssueEvent & { readonly assigneeId: number };
  "issue.unassigned": IssueEvent & { readonly assigneeId: number };
  /** `isCleared`: all labels were removed. */
  "issue.labels_changed": IssueEvent & { readonly added: readonly LabelName[]; readonly removed: readonly LabelName[]; readonly isCleared: boolean };
  "issue.milestone_changed": IssueEvent & { readonly milestoneId: number | null; readonly formerMilestoneId: number | null };
  "issue.deadline_changed": IssueEvent & { readonly deadlineMs: number | null; readonly formerDeadlineMs: number | null };
  "issue.estimate_changed": IssueEvent & { readonly seconds: number; readonly formerSeconds: number };
  "issue.locked": IssueEvent & { readonly reason: string };
  "issue.unlocked": IssueEvent;
  "issue.pinned": IssueEvent;
  "issue.unpinned": IssueEvent;
  "issue.dependency_added": IssueEvent & { readonly dependencyId: number };
  "issue.dependency_removed": IssueEvent & { readonly dependencyId: number };
  "issue.time_tracked": IssueEvent & { readonly timeId: number; readonly accountId: number; readonly seconds: number };
  "issue.time_deleted": IssueEvent & { readonly accountId: number; readonly seconds: number };
  "comment.created": CommentEvent & Mentions;
  "comment.edited": CommentEvent & { readonly formerContent: string } & Mentions;
  "comment.deleted": CommentEvent & FormerComment;
  /** A pushed commit's message mentions users who can read the repository's code. */
  "commit.mentioned": { readonly repoId: number; readonly oid: string; readonly mentionedIds: readonly number[] };
  /** Those to notify can read the repository's code: the author of the commit, users who have commented on it, and mentioned users. */
  "commit.commented": {
    readonly repoId: number;
    readonly oid: string;
    readonly commentId: number;
    readonly authorIds: readonly number[];
    readonly commenterIds: readonly number[];
    readonly mentionedIds: readonly number[];
  };
}

export interface IssueEvent {
  readonly repoId: number;
  readonly issueId: number;
  readonly number: number;
  readonly isPull: boolean;
  readonly title: string;
}

/** Snapshot of a deleted issue: no other data is left. */
export interface FormerIssue {
  /** Null: the account was deleted. */
  readonly posterId: number | null;
  readonly content: string;
  readonly isClosed: boolean;
  readonly closedMs: number | null;
  readonly mergedMs: number | null;
  readonly milestoneId: number | null;
  readonly deadlineMs: number | null;
  readonly isLocked: boolean;
  readonly ref: string;
  readonly commentsCount: number;
  readonly originalAuthor: string;
  readonly originalAuthorId: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly labelIds: readonly number[];
  readonly assigneeIds: readonly number[];
}

/** Snapshot of a deleted comment. */
export interface FormerComment {
  readonly posterId: number | null;
  readonly content: string;
  readonly originalAuthor: string;
  readonly originalAuthorId: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface CommentEvent extends IssueEvent {
  readonly commentId: number;
}

/** Newly mentioned users who can see the text. */
export interface Mentions {
  readonly mentionedIds: readonly number[];
}

/** Old values of an edit; absent members have not changed. */
export interface IssueChanges {
  readonly formerTitle?: string;
  readonly formerContent?: string;
  readonly formerRef?: string;
}

/** The commit whose message caused it; absent for direct changes. */
export interface ByCommit {
  readonly commitOid?: string;
}

export interface LabelName {
  readonly labelId: number;
  readonly name: string;
}
