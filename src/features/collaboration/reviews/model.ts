import type { Side } from "../../../core/line-diff.ts";
import type { ReviewKind } from "../../../db/tables/reviews.ts";
import type { Oid } from "../../../git/types.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { TeamView } from "../../organizations/teams/model.ts";
import type { IssueLocation } from "../issues/model.ts";

/** What the database holds of a review, or of a request for one. */
export interface ReviewRow {
  readonly id: number;
  readonly issueId: number;
  readonly kind: ReviewKind;
  /** Null: the account is gone, or a team is asked. */
  readonly reviewerId: number | null;
  readonly teamId: number | null;
  readonly content: string;
  /** Empty for a request. */
  readonly commitOid: Oid;
  /** The head that it was given for. */
  readonly seenOid: Oid;
  /** And the base. */
  readonly baseBranch: string;
  readonly isOfficial: boolean;
  readonly isDismissed: boolean;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly commentsCount: number;
  /** Who gave it where it comes from; empty for one that was given here. */
  readonly originalAuthor: string;
  readonly originalAuthorId: number;
  /** The entry of the timeline that it is shown at; null: none. */
  readonly anchorId: number | null;
}

/** A review with all that answers show of it. */
export interface ReviewView extends ReviewRow {
  readonly place: PullLocation;
  readonly reviewer: UserView | undefined;
  readonly team: TeamView | undefined;
  /** Given for another head or base than the pull request has now. */
  readonly isStale: boolean;
}

/** Where the pull request of a review stands, as addresses need it. */
export interface PullLocation {
  readonly repository: IssueLocation;
  readonly number: number;
}

/** Where on the code somebody comments. */
export interface LineLocation {
  readonly path: string;
  readonly side: Side;
  /** From 1. */
  readonly line: number;
}

/** Lines of a file that follow each other: `line` is the last, and where the comment stands. */
export interface LineRange extends LineLocation {
  /** The first; the same as `line` where there is one. */
  readonly startLine: number;
}

/** Where lines are that were commented on. */
export type PresentLines = Pick<LineRange, "path" | "startLine" | "line">;

/** A comment on lines, as the database holds it. */
export interface ReviewCommentRow extends LineRange {
  readonly id: number;
  readonly reviewId: number;
  readonly threadId: number;
  /** The commit whose line it is about. */
  readonly writtenOid: Oid;
  /** The commit that the line comes from. */
  readonly commitOid: Oid;
  readonly hunk: string;
  readonly posterId: number | null;
  /** Who wrote it where it comes from; empty for one that was written here. */
  readonly originalAuthor: string;
  readonly originalAuthorId: number;
  readonly resolverId: number | null;
  readonly content: string;
  /** Of the content: 0 as it was first written. */
  readonly contentVersion: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface ReviewCommentView extends ReviewCommentRow {
  readonly place: PullLocation;
  readonly poster: UserView | undefined;
  readonly resolver: UserView | undefined;
  /** Where its lines are now; undefined: the last is gone, and the comment outdated. */
  readonly present: PresentLines | undefined;
}

/** A comment of a conversation, as somebody sees it: a draft is seen by its author alone. */
export interface ThreadComment extends ReviewCommentView {
  readonly isDraft: boolean;
}

/** A conversation on lines. */
export interface Thread {
  readonly first: ThreadComment;
  /** The oldest first, the first among them. */
  readonly comments: readonly ThreadComment[];
}

/** What somebody says of a pull request. */
export interface ReviewInput {
  /** `pending`: to be submitted later. */
  readonly kind: Exclude<ReviewKind, "request">;
  /** As the request words it: refusals repeat it. */
  readonly event: string;
  readonly content: string;
  /** Empty: the head. */
  readonly commitOid: string;
  readonly comments: readonly (LineRange & { readonly content: string })[];
}
