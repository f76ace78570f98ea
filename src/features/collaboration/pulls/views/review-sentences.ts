import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Html } from "../../../../ui/html.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import type { PullView } from "../model.ts";

export interface ReviewReader {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  /** Of the forms; undefined: nobody has signed in. */
  readonly formToken: string | undefined;
  /** Of the conversation, from 1: whoever answers comes back to it. */
  readonly page: number;
}

/**
 * Reviews that the timeline of a pull request names, by their ids and in their order, with what they say on lines: reviews come after pull
 * requests, so the composition root hands this in. A constant number of statements.
 */
export type TellReviews = (reader: ReviewReader, pull: PullView, ids: readonly number[]) => Promise<ReadonlyMap<number, ReviewSentence>>;

/** A review as the conversation of its pull request shows it. */
export interface ReviewSentence {
  readonly id: number;
  readonly kind: "approve" | "reject" | "comment" | "pending" | "request";
  /** Undefined: the account is gone. */
  readonly reviewer: UserView | undefined;
  readonly content: string;
  /** Given for another head or base than the pull request has now. */
  readonly isStale: boolean;
  readonly isDismissed: boolean;
  /** How the reader sets it aside; undefined: he does not. */
  readonly dismissing: Dismissing | undefined;
  /** What people wrote on lines, which is rendered together with all else on the page. */
  readonly written: readonly string[];
  /** The conversations on lines, with the forms to answer them. */
  readonly lines: (htmlOf: (text: string) => string) => Html;
}

export interface Dismissing {
  readonly path: string;
  readonly isDismissed: boolean;
}
