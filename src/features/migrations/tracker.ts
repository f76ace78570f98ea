/** What a repository elsewhere has beside its code, as far as this server can keep it. Ids are those of the other server. */
export interface Tracker {
  readonly labels: readonly ForeignLabel[];
  readonly milestones: readonly ForeignMilestone[];
  readonly issues: readonly ForeignIssue[];
  readonly comments: readonly ForeignComment[];
  readonly releases: readonly ForeignRelease[];
  /** The highest number of an issue or pull request. */
  readonly lastNumber: number;
}

/** Which parts somebody wants. */
export interface TrackerParts {
  readonly labels: boolean;
  readonly milestones: boolean;
  readonly issues: boolean;
  readonly releases: boolean;
}

export const wantsAny = (parts: TrackerParts): boolean => Object.values(parts).includes(true);

export interface ForeignAuthor {
  readonly name: string;
  readonly id: number;
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
  readonly author: ForeignAuthor;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface ForeignComment {
  readonly id: number;
  readonly issueNumber: number;
  readonly content: string;
  readonly author: ForeignAuthor;
  readonly createdMs: number;
  readonly updatedMs: number;
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
}
