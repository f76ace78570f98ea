import { isSelf, type UserActor } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { UserView } from "../../accounts/users/model.ts";
import type { BranchRule } from "../../repositories/protections/rules.ts";
import { readTypedNames } from "../issues/times/parse-duration.ts";
import type { FoundPull } from "./model.ts";

/** What pull requests ask of reviews, which come after them: the composition root brings the two together. */
export interface Reviewing {
  /**
   * What a rule asks of reviews before the head is merged and is not there, in the words of the wire: `Does not have enough approvals`.
   * Asked within the transaction of the merge. @returns undefined where nothing speaks against it
   */
  objection(db: Reader, pull: FoundPull, rule: BranchRule): Promise<string | undefined>;
  /**
   * What each reviewer says of a pull request: his verdict, where he has one that nobody has dismissed, else that he commented; the first first.
   * At most six statements.
   */
  standings(db: Reader, repository: RepositorySubject, pull: FoundPull): Promise<readonly ReviewerStanding[]>;
  /** Asks for reviews of a pull request that is being opened. @throws ForgeError for a name that cannot be asked */
  request(tx: Tx, actor: UserActor, repository: RepositorySubject, pull: FoundPull, wanted: RequestedReviewers): Promise<void>;
}

export interface ReviewerStanding {
  readonly reviewer: UserView;
  readonly kind: "approve" | "reject" | "comment";
  /** Said of another head or base than the pull request has now. */
  readonly isStale: boolean;
  /** The entry of the timeline at which he said it; null: it is gone. */
  readonly anchorId: number | null;
}

/** Names, as a request has them. */
export interface RequestedReviewers {
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

/** Reviewers are chosen by the author of a pull request and by everybody who was given access to the repository's pull requests. */
export const choosesReviewers = (actor: UserActor, { right }: Pick<RepositorySubject, "right">, { posterId }: { readonly posterId: number | null }): boolean =>
  (posterId !== null && isSelf(actor, posterId)) || atLeast(right.granted("repo.pulls"), "read");

/** `ada, gardeners/core`: people, and teams as their organization and name. */
export function readTypedReviewers(typed: string): RequestedReviewers {
  const names = readTypedNames(typed);
  const teams = names.filter((name) => name.includes("/"));
  return { users: names.filter((name) => !name.includes("/")), teams: teams.map((name) => name.slice(name.indexOf("/") + 1)) };
}
