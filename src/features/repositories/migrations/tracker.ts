import type { Side } from "../../../core/line-diff.ts";
import type { Oid } from "../../../git/types.ts";

/** What a repository elsewhere has beside its code, as far as this server can keep it. Ids are those of the other server, numbers those that they get here. */
export interface Tracker {
  readonly about: ForeignAbout;
  readonly labels: readonly ForeignLabel[];
  readonly milestones: readonly ForeignMilestone[];
  readonly issues: readonly ForeignIssue[];
  readonly pulls: readonly ForeignPull[];
  /** Of both. */
  readonly comments: readonly ForeignComment[];
  readonly reviews: readonly ForeignReview[];
  /** To issues, pull requests and comments. */
  readonly reactions: readonly ForeignReaction[];
  readonly releases: readonly ForeignRelease[];
  /** The highest number of an issue or pull request. */
  readonly lastNumber: number;
}

/** Which parts somebody wants. */
export interface TrackerParts {
  readonly labels: boolean;
  readonly milestones: boolean;
  readonly issues: boolean;
  readonly pulls: boolean;
  readonly releases: boolean;
}

export const wantsAny = (parts: TrackerParts): boolean => Object.values(parts).includes(true);

/** What a repository is about. */
export interface ForeignAbout {
  readonly description: string;
  /** Empty, or an address that may be shown. */
  readonly website: string;
  readonly topics: readonly string[];
}

export interface ForeignAuthor {
  readonly name: string;
  readonly id: number;
  /** The id is that of an account there, and not of one that it was brought there from. */
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
  /** Accounts there. */
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
  /** As the other server says: whether there is such a commit is for the store to tell. Undefined: it says none. */
  readonly headOid: Oid | undefined;
  /** The ref of the other server that holds its head. */
  readonly headRef: string;
  /** Where head and base parted. */
  readonly mergeBaseOid: Oid | undefined;
  readonly allowsMaintainerEdit: boolean;
  /** Accounts there that it waits for. */
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
  /** Of its place in the timeline, counted with comments; 0 where nobody tells. */
  readonly entryId: number;
  readonly pullNumber: number;
  readonly kind: "approve" | "reject" | "comment";
  readonly content: string;
  readonly commitOid: Oid | undefined;
  /** Given for another head than the pull request has. */
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
  /** The commit that the line is told of; undefined: of the pull request as it is. */
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

export interface ForeignReaction {
  readonly issueNumber: number;
  /** Null: to the issue or pull request itself. */
  readonly commentId: number | null;
  /** As it is called here. */
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
  /** Undefined where nobody tells. */
  readonly sizeBytes: number | undefined;
  /** Where it is downloaded. */
  readonly address: string;
}
