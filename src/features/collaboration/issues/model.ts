import type { CommentKind } from "../../../db/tables/issues.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { TeamWithOrganization } from "../../organizations/teams/model.ts";
import type { LabelView } from "../labels/model.ts";
import type { MilestoneView } from "../milestones/model.ts";
import type { CommentPayload } from "./conversation/comment-payload.ts";

/** By the time at which they were opened, or last changed. */
export type IssueOrder = "newest" | "oldest" | "updated" | "least-updated";

/** Where an issue stands, as addresses need it. */
export interface IssueLocation {
  readonly id: number;
  readonly name: string;
  readonly ownerId: number;
  readonly ownerName: string;
}

/** What the database holds of an issue: whatever else it shows is still an id. */
export interface IssueRow {
  readonly id: number;
  readonly repoId: number;
  readonly number: number;
  readonly isPull: boolean;
  /** Null: the account is gone. */
  readonly posterId: number | null;
  readonly title: string;
  readonly content: string;
  /** How often the content was edited. */
  readonly contentVersion: number;
  readonly isClosed: boolean;
  readonly closedMs: number | null;
  /** Of a pull request that is merged. */
  readonly mergedMs: number | null;
  readonly milestoneId: number | null;
  readonly deadlineMs: number | null;
  readonly isLocked: boolean;
  readonly ref: string;
  readonly timeEstimateSeconds: number;
  /** 0: not pinned. */
  readonly pinOrder: number;
  readonly commentsCount: number;
  readonly originalAuthor: string;
  readonly originalAuthorId: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly labelIds: readonly number[];
  readonly assigneeIds: readonly number[];
  readonly attachmentsCount: number;
}

/** An issue with everything that answers show of it. */
export interface IssueView extends IssueRow {
  readonly place: IssueLocation;
  /** Undefined: the account is gone. */
  readonly poster: UserView | undefined;
  readonly milestone: MilestoneView | undefined;
  /** By name. */
  readonly labels: readonly LabelView[];
  readonly assignees: readonly UserView[];
  readonly attachments: readonly AttachmentView[];
}

export interface AttachmentView {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly downloadCount: number;
  readonly createdMs: number;
}

/** The issue that a comment stands under. */
export interface CommentedIssue {
  readonly id: number;
  readonly number: number;
  readonly isPull: boolean;
}

export interface CommentRow {
  readonly id: number;
  readonly repoId: number;
  readonly issue: CommentedIssue;
  readonly kind: CommentKind;
  readonly posterId: number | null;
  readonly content: string;
  readonly contentVersion: number;
  readonly facts: CommentPayload;
  readonly refIssueId: number | null;
  readonly refCommentId: number | null;
  readonly originalAuthor: string;
  readonly originalAuthorId: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** What somebody wrote under an issue. */
export interface CommentView extends CommentRow {
  readonly place: IssueLocation;
  readonly poster: UserView | undefined;
  readonly attachments: readonly AttachmentView[];
}

/** An entry of an issue's timeline: a comment, or what else has happened. What is gone or hidden from the caller is undefined. */
export interface TimelineView extends CommentRow {
  readonly place: IssueLocation;
  readonly poster: UserView | undefined;
  readonly label: LabelView | undefined;
  readonly milestone: MilestoneView | undefined;
  readonly oldMilestone: MilestoneView | undefined;
  readonly assignee: UserView | undefined;
  readonly assigneeTeam: TeamWithOrganization | undefined;
  readonly dependentIssue: IssueView | undefined;
  readonly refIssue: IssueView | undefined;
  readonly refComment: CommentView | undefined;
  readonly trackedTime: TrackedTimeView | undefined;
}

export interface ReactionView {
  /** Undefined: somebody where it comes from. */
  readonly user: UserView | undefined;
  readonly content: string;
  readonly createdMs: number;
}

/** A text of an issue or comment, as somebody left it. */
export interface TextVersionView {
  /** Undefined: the account is gone. */
  readonly editor: UserView | undefined;
  readonly content: string;
  readonly writtenMs: number;
}

/** How often something was reacted to with the same. */
export interface ReactionCount {
  readonly content: string;
  readonly count: number;
  /** The reader is among them. */
  readonly isOwn: boolean;
}

export interface TrackedTimeRow {
  readonly id: number;
  readonly issueId: number;
  readonly repoId: number;
  readonly accountId: number;
  readonly seconds: number;
  readonly isDeleted: boolean;
  readonly createdMs: number;
}

export interface TrackedTimeView extends TrackedTimeRow {
  readonly userName: string;
  /** Undefined where an answer does not show it. */
  readonly issue: IssueView | undefined;
}

export interface StopwatchView {
  readonly createdMs: number;
  readonly seconds: number;
  readonly repoId: number;
  readonly isPull: boolean;
  readonly issueNumber: number;
  readonly issueTitle: string;
  readonly ownerName: string;
  readonly repositoryName: string;
}
