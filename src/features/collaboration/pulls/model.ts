import type { MergeStyle } from "../../../db/tables/pulls.ts";
import type { ObjectFormat, Oid } from "../../../git/types.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { TeamWithOrganization } from "../../organizations/teams/model.ts";
import type { RepositoryView } from "../../repositories/repos/model.ts";
import type { IssueRow, IssueView } from "../issues/model.ts";

/** Database row of a pull request besides its issue row, with the current tips of its branches. */
export interface PullRow {
  readonly id: number;
  readonly issueId: number;
  readonly repoId: number;
  readonly number: number;
  readonly isClosed: boolean;
  /** Code store of the base repository. */
  readonly codeStoreId: number;
  readonly objectFormat: ObjectFormat;
  readonly baseBranch: string;
  /** Null: deleted. */
  readonly headRepoId: number | null;
  /** Code store of the head repository; null: deleted. */
  readonly headStoreId: number | null;
  readonly headBranch: string;
  /** Last commit of the head; for a closed pull request, the commit at that time. */
  readonly headOid: Oid;
  /** `agit`: pushed to `refs/for/`, without a branch. */
  readonly flow: "branch" | "agit";
  readonly allowsMaintainerEdit: boolean;
  /** Null: not merged. */
  readonly merged: PullMerge | null;
  /** Current tip of the base branch; null: deleted. */
  readonly baseTipOid: Oid | null;
  /** Current tip of the head branch; null: deleted, or none (`agit`). */
  readonly headTipOid: Oid | null;
  /** Last computed check; outdated if its ids differ from the current tips. */
  readonly check: PullCheck | null;
  readonly reviews: PullReviews;
}

/** Reviews and review requests of a pull request, oldest first. */
export interface PullReviews {
  readonly requestedUserIds: readonly number[];
  readonly requestedTeamIds: readonly number[];
  /** Users who are requested, or who have an approval or change request that is not dismissed. */
  readonly reviewerIds: readonly number[];
  /** These, and users who only commented in a review. */
  readonly participantIds: readonly number[];
  /** Number of submitted reviews. */
  readonly count: number;
}

export interface PullMerge {
  /** Merge base of head and base. */
  readonly mergeBaseOid: Oid | null;
  /** Former tip of the base. */
  readonly baseOid: Oid;
  readonly commitOid: Oid;
  readonly style: MergeStyle;
  readonly mergedMs: number;
  /** Null: the account is deleted. */
  readonly mergerId: number | null;
}

/** Result computed from the tips of base and head. */
export interface PullCheck {
  readonly baseOid: Oid;
  readonly headOid: Oid;
  /** Null: unrelated histories. */
  readonly mergeBaseOid: Oid | null;
  readonly outcome: "clean" | "conflict" | "unrelated";
  /** Whether the base already contains the head. */
  readonly isEmpty: boolean;
  /** Null: not computed yet. */
  readonly size: PullSize | null;
}

/** Size of the head's changes since the merge base. */
export interface PullSize {
  readonly changedFiles: number;
  readonly additions: number;
  readonly deletions: number;
}

/** A pull request as services use it. */
export interface FoundPull extends PullRow {
  readonly issue: IssueRow;
}

/** A pull request with everything that responses include. */
export interface PullView extends PullRow {
  readonly issue: IssueView;
  readonly baseRepository: RepositoryView | undefined;
  /** Undefined: deleted, or hidden from the caller. */
  readonly headRepository: RepositoryView | undefined;
  readonly mergeBaseOid: Oid | null;
  readonly isMergeable: boolean;
  /** Undefined: not merged, or the account is deleted. */
  readonly merger: UserView | undefined;
  /** Undefined if the response does not include it. */
  readonly size: PullSize | undefined;
  readonly requestedUsers: readonly UserView[];
  /** See {@link PullReviews.reviewerIds}. */
  readonly reviewers: readonly UserView[];
  /** See {@link PullReviews.participantIds}. */
  readonly participants: readonly UserView[];
  readonly requestedTeams: readonly TeamWithOrganization[];
}

/** Commits that the pages of a pull request count and offer to select. */
export const maxListedCommits = 250;
