import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Html } from "../../../../ui/html.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import type { PullView } from "../model.ts";

export interface ReviewReader {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  /** For the forms; undefined: not signed in. */
  readonly formToken: string | undefined;
  /** Page of the conversation, from 1, to return to after a reply. */
  readonly page: number;
}

/** Reviews depend on pull requests, so the composition root passes these in. */
export interface ReviewPorts {
  readonly loadReviewTimeline: ReviewSentences;
  /** The number of comments of the caller's unsubmitted review. */
  readonly countDrafts: (actor: Actor, pull: PullView) => Promise<number>;
}

/** Loads the reviews in a pull request's timeline by id, in order, with their comments on lines. A constant number of statements. */
export type ReviewSentences = (reader: ReviewReader, pull: PullView, ids: readonly number[]) => Promise<ReadonlyMap<number, ReviewSentence>>;

/** A review in the conversation of its pull request. */
export interface ReviewSentence {
  readonly id: number;
  readonly kind: "approve" | "reject" | "comment" | "pending" | "request";
  /** Undefined: the account is deleted. */
  readonly reviewer: UserView | undefined;
  /** Author at the source of an import; empty: written here. */
  readonly originalAuthor: string;
  readonly content: string;
  /** Given for another head or base than the current ones. */
  readonly isStale: boolean;
  readonly isDismissed: boolean;
  /** How the reader can dismiss it; undefined if they cannot. */
  readonly dismissing: Dismissing | undefined;
  /** Texts of comments on lines, rendered together with all other texts of the page. */
  readonly written: readonly string[];
  /** Conversations on lines, with reply forms. */
  readonly lines: (htmlOf: (text: string) => string) => Html;
}

export interface Dismissing {
  readonly path: string;
  readonly isDismissed: boolean;
}
