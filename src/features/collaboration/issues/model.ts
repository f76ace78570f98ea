import type { CommentKind } from "../../../db/tables/issues.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { TeamWithOrganization } from "../../organizations/teams/model.ts";
import type { LabelView } from "../labels/model.ts";
import type { MilestoneView } from "../milestones/model.ts";
import type { CloseReason } from "./close-reason.ts";
import type { CommentPayload } from "./conversation/comment-payload.ts";

/** By creation time, update time or number of comments. */
export type IssueOrder = "newest" | "oldest" | "updated" | "least-updated" | "most-commented" | "least-commented";

/** Location of an issue in addresses. */
export interface IssueLocation {
  readonly id: number;
  readonly name: string;
  readonly ownerId: number;
  readonly ownerName: string;
}

/** Database row of an issue; relations are ids. */
export interface IssueRow {
  readonly id: number;
  readonly repoId: number;
  readonly number: number;
  readonly isPull: boolean;
  /** Null: the account is deleted. */
  readonly posterId: number | null;
  readonly title: string;
  readonly content: string;
  /** Number of edits of the content. */
  readonly contentVersion: number;
  readonly isClosed: boolean;
  readonly closedMs: number | null;
  readonly closeReason: CloseReason;
  /** Set for a merged pull request. */
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

/** An issue with everything that responses include. */
export interface IssueView extends IssueRow {
  readonly place: IssueLocation;
  /** Undefined: the account is deleted. */
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
  readonly payload: CommentPayload;
  readonly refIssueId: number | null;
  readonly refCommentId: number | null;
  readonly originalAuthor: string;
  readonly originalAuthorId: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** A comment with its author. */
export interface CommentView extends CommentRow {
  readonly place: IssueLocation;
  readonly poster: UserView | undefined;
  readonly attachments: readonly AttachmentView[];
}

/** A timeline entry: a comment or an event. Fields are undefined if they are deleted or hidden from the caller. */
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
  /** `owner/name` of the repository before a transfer. */
  readonly formerRepository: string | undefined;
}

export interface ReactionView {
  /** Undefined: an author at the import source. */
  readonly user: UserView | undefined;
  readonly content: string;
  readonly createdMs: number;
}

export interface TextVersionView {
  /** Undefined: the account is deleted. */
  readonly editor: UserView | undefined;
  readonly content: string;
  readonly writtenMs: number;
}

/** Number of reactions with the same content. */
export interface ReactionCount {
  readonly content: string;
  readonly count: number;
  /** Whether the reader has reacted with it. */
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
  /** Undefined if the response does not include it. */
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
