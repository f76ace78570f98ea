import { isSelf, type UserActor } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { BranchRule } from "../../repositories/protections/rules.ts";
import { readTypedNames } from "../issues/times/parse-duration.ts";
import type { UncountedApproval } from "./mergeability.ts";
import type { FoundPull } from "./model.ts";

/** Interface to reviews, which depend on pull requests: the composition root connects the two. */
export interface Reviewing {
  /** The state of the reviews as far as a rule asks for it; also called within the transaction of a merge. */
  loadState(db: Reader, pull: FoundPull, rule: BranchRule, options: ReviewStateOptions): Promise<ReviewState>;
  /**
   * Verdict of each reviewer, earliest first: their approval or change request that is not dismissed, otherwise a comment. At most six
   * statements.
   */
  standings(db: Reader, repository: RepositorySubject, pull: FoundPull): Promise<readonly ReviewerStanding[]>;
  /** Requests reviews of a new pull request. @throws ForgeError for a user or team that cannot be requested */
  request(tx: Tx, actor: UserActor, repository: RepositorySubject, pull: FoundPull, wanted: RequestedReviewers): Promise<void>;
}

export interface ReviewStateOptions {
  /** Also loads the latest approvals that never counted. */
  readonly listsUncounted: boolean;
}

export interface ReviewState {
  /** Official approvals that count; 0 if the rule requires none. */
  readonly approvals: number;
  /** Approvals that are not dismissed but do not count. */
  readonly uncounted: readonly UncountedApproval[];
  /** An official reviewer has requested changes. */
  readonly isRejected: boolean;
  /** An official review request is pending. */
  readonly isAwaited: boolean;
}

export interface ReviewerStanding {
  readonly reviewer: UserView;
  readonly kind: "approve" | "reject" | "comment";
  /** Given for another head or base than the current ones. */
  readonly isStale: boolean;
  /** Timeline entry of the verdict; null: deleted. */
  readonly anchorId: number | null;
}

/** Names from a request. */
export interface RequestedReviewers {
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

/** The author of a pull request and everyone with access to the repository's pull requests can choose reviewers. */
export const choosesReviewers = (actor: UserActor, { right }: Pick<RepositorySubject, "right">, { posterId }: { readonly posterId: number | null }): boolean =>
  (posterId !== null && isSelf(actor, posterId)) || atLeast(right.granted("repo.pulls"), "read");

/** Parses `ada, gardeners/core`: users, and teams as organization and name. */
export function readTypedReviewers(typed: string): RequestedReviewers {
  const names = readTypedNames(typed);
  const teams = names.filter((name) => name.includes("/"));
  return { users: names.filter((name) => !name.includes("/")), teams: teams.map((name) => name.slice(name.indexOf("/") + 1)) };
}
