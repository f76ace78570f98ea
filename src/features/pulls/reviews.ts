import type { UserActor } from "../../access/actor.ts";
import type { RepositorySubject } from "../../access/subjects.ts";
import type { Reader, Tx } from "../../db/db.ts";
import type { BranchRule } from "../protections/rules.ts";
import type { PullRow } from "./view.ts";

/** What pull requests need of their reviews. Reviews are a later feature, so whoever composes the two hands this in. */
export interface PullReviews {
  /** By issue; one that nobody reviews is absent. One statement, whatever the number. */
  summarise(db: Reader, issueIds: readonly number[]): Promise<ReadonlyMap<number, ReviewSummary>>;
  /**
   * What reviews have against a merge into a branch with this rule, as a sentence for whoever asked for it; undefined: nothing.
   * One statement, none where the rule wants nothing of reviews.
   */
  objection(db: Reader, pull: PullRow, rule: BranchRule): Promise<string | undefined>;
  /**
   * Asks for the reviews that the author of a new pull request wishes, in the transaction that opens it.
   * @throws ForgeError `not_found` for a name that nobody bears, `invalid` for somebody who cannot review it
   */
  request(tx: Tx, actor: UserActor, repository: RepositorySubject, pull: PullRow, wish: ReviewerNames): Promise<void>;
}

export interface ReviewSummary {
  readonly requestedUserIds: readonly number[];
  readonly requestedTeamIds: readonly number[];
  /** Comments on lines, without those of pending reviews. */
  readonly commentsCount: number;
}

/** Teams are passed over where the owner of the repository is a user. */
export interface ReviewerNames {
  readonly users: readonly string[];
  readonly teams: readonly string[];
}
