/** What happens to issues and pull requests, and to what people write about them. */
export interface IssueEvents {
  "issue.created": IssueEvent & Mentions;
  "issue.edited": IssueEvent & IssueChanges & Mentions;
  "issue.closed": IssueEvent & ByCommit;
  "issue.reopened": IssueEvent & ByCommit;
  "issue.deleted": IssueEvent & { readonly former: FormerIssue };
  "issue.assigned": IssueEvent & { readonly assigneeId: number };
  "issue.unassigned": IssueEvent & { readonly assigneeId: number };
  /** All of them went when `isCleared` is true. */
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
  /** The message of a commit that was pushed names users who can read the repository's code. */
  "commit.mentioned": { readonly repoId: number; readonly oid: string; readonly mentionedIds: readonly number[] };
}

export interface IssueEvent {
  readonly repoId: number;
  readonly issueId: number;
  readonly number: number;
  readonly isPull: boolean;
  readonly title: string;
}

/** What an issue was that is gone: nothing else is left of it. */
export interface FormerIssue {
  /** Null: the account is gone. */
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

/** The same of a comment. */
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

/** Who is named in the text, can see it, and was not named there before. */
export interface Mentions {
  readonly mentionedIds: readonly number[];
}

/** What an edit has replaced; what is absent has not changed. */
export interface IssueChanges {
  readonly formerTitle?: string;
  readonly formerContent?: string;
  readonly formerRef?: string;
}

/** The commit whose message asked for it; absent where somebody did it himself. */
export interface ByCommit {
  readonly commitOid?: string;
}

export interface LabelName {
  readonly labelId: number;
  readonly name: string;
}
