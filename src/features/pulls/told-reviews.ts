import type { RepositorySubject } from "../../access/subjects.ts";
import type { ReviewKind } from "../../db/tables/reviews.ts";
import type { UserView } from "../users/view.ts";
import type { FoundPull } from "./view.ts";

/**
 * Reviews that the timeline of a pull request names, by their ids, with what they say on lines: reviews come after pull requests, so the
 * composition root hands this in. A constant number of statements.
 */
export type TellReviews = (repository: RepositorySubject, pull: FoundPull, ids: readonly number[]) => Promise<ReadonlyMap<number, ToldReview>>;

/** A review as the conversation of its pull request shows it. */
export interface ToldReview {
  readonly id: number;
  readonly kind: ReviewKind;
  /** Undefined: the account is gone. */
  readonly reviewer: UserView | undefined;
  readonly content: string;
  /** Given for another head or base than the pull request has now. */
  readonly isStale: boolean;
  readonly isDismissed: boolean;
  readonly comments: readonly ToldLineComment[];
}

/** A comment on a line, or on several. */
export interface ToldLineComment {
  readonly id: number;
  /** Of the file as it was written on. */
  readonly path: string;
  /** Where its lines are now; undefined: the last is gone. */
  readonly present: { readonly path: string; readonly startLine: number; readonly line: number } | undefined;
  /** The lines down to the last, as they were. */
  readonly hunk: string;
  readonly content: string;
  readonly poster: UserView | undefined;
  readonly resolver: UserView | undefined;
  readonly createdMs: number;
}
