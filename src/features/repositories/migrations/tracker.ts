import type { Side } from "../../../core/line-diff.ts";
import type { Oid } from "../../../git/types.ts";

/** The tracker data of a foreign repository that this server can store. Ids are those of the source; numbers are those assigned here. */
export interface Tracker {
  readonly about: ForeignAbout;
  readonly labels: readonly ForeignLabel[];
  readonly milestones: readonly ForeignMilestone[];
  readonly issues: readonly ForeignIssue[];
  readonly pulls: readonly ForeignPull[];
  /** Comments on issues and pull requests. */
  readonly comments: readonly ForeignComment[];
  readonly reviews: readonly ForeignReview[];
  /** Reactions to issues, pull requests and comments. */
  readonly reactions: readonly ForeignReaction[];
  readonly releases: readonly ForeignRelease[];
  /** Only exports of Hearth have them. */
  readonly commitComments?: readonly ForeignCommitComment[];
  /** The highest number of an issue or pull request. */
  readonly lastNumber: number;
}

/** The requested parts. */
export interface TrackerParts {
  readonly labels: boolean;
  readonly milestones: boolean;
  readonly issues: boolean;
  readonly pulls: boolean;
  readonly releases: boolean;
}

export const wantsAny = (parts: TrackerParts): boolean => Object.values(parts).includes(true);

/** The description of a repository. */
export interface ForeignAbout {
  readonly description: string;
  /** Empty or a safe URL. */
  readonly website: string;
  readonly topics: readonly string[];
}

export interface ForeignAuthor {
  readonly name: string;
  readonly id: number;
  /** The id is of an account on the source, not of a server from which the source imported it. */
  readonly isAccount: boolean;
}

export interface ForeignLabel {
  readonly id: number;
  readonly name: string;
  /** Six lower-case hex digits. */
  readonly color: string;
  readonly description: string;
  readonly isExclusive: boolean;
  readonly isArchived: boolean;
}

export interface ForeignMilestone {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly isClosed: boolean;
  readonly dueMs: number | null;
  readonly closedMs: number | null;
  readonly createdMs: number;
}

export interface ForeignIssue {
  readonly number: number;
  readonly title: string;
  readonly content: string;
  readonly isClosed: boolean;
  readonly closedMs: number | null;
  readonly deadlineMs: number | null;
  readonly isLocked: boolean;
  readonly ref: string;
  readonly labelIds: readonly number[];
  readonly milestoneId: number | null;
  /** Accounts on the source. */
  readonly assigneeIds: readonly number[];
  readonly files: readonly ForeignFile[];
  readonly author: ForeignAuthor;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface ForeignPull extends ForeignIssue {
  readonly baseBranch: string;
  readonly headBranch: string;
  /** Its head is, or was, a branch of the same repository. */
  readonly isOfRepository: boolean;
  /** As claimed by the source; the commit may not exist. Undefined if not given. */
  readonly headOid: Oid | undefined;
  /** The ref of the source with its head. */
  readonly headRef: string;
  /** The merge base of head and base. */
  readonly mergeBaseOid: Oid | undefined;
  readonly allowsMaintainerEdit: boolean;
  /** Requested reviewers, as accounts on the source. */
  readonly reviewerIds: readonly number[];
  readonly merged: ForeignMerge | undefined;
}

export interface ForeignMerge {
  readonly commitOid: Oid | undefined;
  readonly mergedMs: number;
  readonly merger: ForeignAuthor;
}

export interface ForeignReview {
  readonly id: number;
  /** Its id in the timeline, shared with comments; 0 if unknown. */
  readonly entryId: number;
  readonly pullNumber: number;
  readonly kind: "approve" | "reject" | "comment";
  readonly content: string;
  readonly commitOid: Oid | undefined;
  /** The review is of an earlier head. */
  readonly isStale: boolean;
  readonly isDismissed: boolean;
  readonly author: ForeignAuthor;
  readonly createdMs: number;
  readonly comments: readonly ForeignLineComment[];
}

export interface ForeignLineComment {
  readonly id: number;
  readonly path: string;
  readonly side: Side;
  readonly line: number;
  readonly commitOid: Oid | undefined;
  /** The commit to which the line number refers; undefined for the present head. */
  readonly writtenOid: Oid | undefined;
  readonly hunk: string;
  readonly content: string;
  readonly author: ForeignAuthor;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface ForeignComment {
  readonly id: number;
  readonly issueNumber: number;
  readonly content: string;
  readonly files: readonly ForeignFile[];
  readonly author: ForeignAuthor;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface ForeignCommitComment {
  readonly id: number;
  readonly commitOid: Oid;
  readonly content: string;
  readonly author: ForeignAuthor;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface ForeignReaction {
  readonly issueNumber: number;
  /** Null for a reaction to the issue or pull request itself. */
  readonly commentId: number | null;
  /** The reaction's name here. */
  readonly content: string;
  readonly author: ForeignAuthor;
  readonly createdMs: number;
}

export interface ForeignRelease {
  readonly tagName: string;
  readonly target: string;
  readonly title: string;
  readonly note: string;
  readonly isDraft: boolean;
  readonly isPrerelease: boolean;
  readonly author: ForeignAuthor;
  readonly createdMs: number;
  readonly publishedMs: number;
  readonly files: readonly ForeignFile[];
}

export interface ForeignFile {
  readonly name: string;
  /** Undefined if unknown. */
  readonly sizeBytes: number | undefined;
  /** The download URL. */
  readonly address: string;
}
