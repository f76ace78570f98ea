import type { MergeStyle } from "../../../db/tables/pulls.ts";
import type { ObjectFormat, Oid } from "../../../git/types.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { TeamWithOrganization } from "../../organizations/teams/model.ts";
import type { RepositoryView } from "../../repositories/repos/model.ts";
import type { IssueRow, IssueView } from "../issues/model.ts";

/** What the database holds of a pull request beside its row among the issues, and where its branches are now. */
export interface PullRow {
  readonly id: number;
  readonly issueId: number;
  readonly repoId: number;
  readonly number: number;
  readonly isClosed: boolean;
  /** Where the base's repository keeps its code. */
  readonly codeStoreId: number;
  readonly objectFormat: ObjectFormat;
  readonly baseBranch: string;
  /** Null: gone. */
  readonly headRepoId: number | null;
  /** Where the head's repository keeps its code; null: gone. */
  readonly headStoreId: number | null;
  readonly headBranch: string;
  /** The last commit of the head; of a closed pull request what it was then. */
  readonly headOid: Oid;
  /** `agit`: pushed to `refs/for/`, no branch stands behind it. */
  readonly flow: "branch" | "agit";
  readonly allowsMaintainerEdit: boolean;
  /** Null: not merged. */
  readonly merged: PullMerge | null;
  /** What the base branch is now; null: gone. */
  readonly baseTipOid: Oid | null;
  /** What the head branch is now; null: gone, or there never was one. */
  readonly headTipOid: Oid | null;
  /** What was last computed; not for the present tips where their ids differ. */
  readonly check: PullCheck | null;
  readonly reviews: PullReviews;
}

/** The reviews of a pull request and the requests for reviews, the oldest first. */
export interface PullReviews {
  readonly requestedUserIds: readonly number[];
  readonly requestedTeamIds: readonly number[];
  /** Users who are requested, or who have approved or requested changes and were not dismissed. */
  readonly reviewerIds: readonly number[];
  /** Those that are submitted. */
  readonly count: number;
}

export interface PullMerge {
  /** Where head and base parted. */
  readonly mergeBaseOid: Oid | null;
  /** The tip of the base before. */
  readonly baseOid: Oid;
  readonly commitOid: Oid;
  readonly style: MergeStyle;
  readonly mergedMs: number;
  /** Null: the account is gone. */
  readonly mergerId: number | null;
}

/** What follows from the tips of base and head alone. */
export interface PullCheck {
  readonly baseOid: Oid;
  readonly headOid: Oid;
  /** Null: the two have nothing in common. */
  readonly mergeBaseOid: Oid | null;
  readonly outcome: "clean" | "conflict" | "unrelated";
  /** The base has all of the head already. */
  readonly isEmpty: boolean;
  /** Null: nobody has asked yet. */
  readonly size: PullSize | null;
}

/** What the head changed since it left the base. */
export interface PullSize {
  readonly changedFiles: number;
  readonly additions: number;
  readonly deletions: number;
}

/** A pull request as services judge and change it. */
export interface FoundPull extends PullRow {
  readonly issue: IssueRow;
}

/** A pull request with everything that answers show of it. */
export interface PullView extends PullRow {
  readonly issue: IssueView;
  readonly baseRepository: RepositoryView | undefined;
  /** Undefined: gone, or hidden from the caller. */
  readonly headRepository: RepositoryView | undefined;
  readonly mergeBaseOid: Oid | null;
  readonly isMergeable: boolean;
  /** Undefined: not merged, or the account is gone. */
  readonly merger: UserView | undefined;
  /** Undefined where answers leave it out. */
  readonly size: PullSize | undefined;
  readonly requestedUsers: readonly UserView[];
  /** See {@link PullReviews.reviewerIds}. */
  readonly reviewers: readonly UserView[];
  readonly requestedTeams: readonly TeamWithOrganization[];
}
