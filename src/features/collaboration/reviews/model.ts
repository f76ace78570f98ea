import type { Side } from "../../../core/line-diff.ts";
import type { ReviewKind } from "../../../db/tables/reviews.ts";
import type { Oid } from "../../../git/types.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { TeamView } from "../../organizations/teams/model.ts";
import type { IssueLocation } from "../issues/model.ts";

/** Database row of a review or review request. */
export interface ReviewRow {
  readonly id: number;
  readonly issueId: number;
  readonly kind: ReviewKind;
  /** Null: the account is deleted, or the request is for a team. */
  readonly reviewerId: number | null;
  readonly teamId: number | null;
  readonly content: string;
  /** Empty for a request. */
  readonly commitOid: Oid;
  /** Head at the time of the review. */
  readonly seenOid: Oid;
  /** Base branch at the time of the review. */
  readonly baseBranch: string;
  readonly isOfficial: boolean;
  readonly isDismissed: boolean;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly commentsCount: number;
  /** Author at the import source; empty for a local review. */
  readonly originalAuthor: string;
  readonly originalAuthorId: number;
  /** Timeline entry that shows it; null: none. */
  readonly anchorId: number | null;
}

/** A review with everything that responses include. */
export interface ReviewView extends ReviewRow {
  readonly place: PullLocation;
  readonly reviewer: UserView | undefined;
  readonly team: TeamView | undefined;
  /** Given for another head or base than the current ones. */
  readonly isStale: boolean;
}

/** Location of a review's pull request in addresses. */
export interface PullLocation {
  readonly repository: IssueLocation;
  readonly number: number;
}

/** Location of a comment on a line. */
export interface LineLocation {
  readonly path: string;
  readonly side: Side;
  /** From 1. */
  readonly line: number;
}

/** Consecutive lines of a file: `line` is the last, where the comment is shown. */
export interface LineRange extends LineLocation {
  /** The first line; equals `line` for a single line. */
  readonly startLine: number;
}

/** Current location of commented lines. */
export type PresentLines = Pick<LineRange, "path" | "startLine" | "line">;

/** Database row of a comment on lines. */
export interface ReviewCommentRow extends LineRange {
  readonly id: number;
  readonly reviewId: number;
  readonly threadId: number;
  /** The commit that the comment was written on. */
  readonly writtenOid: Oid;
  /** The commit that last changed the line. */
  readonly commitOid: Oid;
  readonly hunk: string;
  readonly posterId: number | null;
  /** Author at the import source; empty for a local comment. */
  readonly originalAuthor: string;
  readonly originalAuthorId: number;
  readonly resolverId: number | null;
  readonly content: string;
  /** Content version; 0 as first written. */
  readonly contentVersion: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface ReviewCommentView extends ReviewCommentRow {
  readonly place: PullLocation;
  readonly poster: UserView | undefined;
  readonly resolver: UserView | undefined;
  /** Current lines; undefined: the last line was removed, so the comment is outdated. */
  readonly present: PresentLines | undefined;
}

/** A comment in a conversation, for one viewer: only its author sees a draft. */
export interface ThreadComment extends ReviewCommentView {
  readonly isDraft: boolean;
}

/** A conversation on lines. */
export interface Thread {
  readonly first: ThreadComment;
  /** Oldest first, including the one that started the conversation. */
  readonly comments: readonly ThreadComment[];
}

export interface ReviewInput {
  /** `pending`: submitted later. */
  readonly kind: Exclude<ReviewKind, "request">;
  /** The event as in the request; errors repeat it. */
  readonly event: string;
  readonly content: string;
  /** Empty: the head. */
  readonly commitOid: string;
  readonly comments: readonly (LineRange & { readonly content: string })[];
  /** The comments that the caller has saved in a pending review count, so that no text is necessary. */
  readonly countsSaved?: boolean;
}
