import type { EmailNotifications } from "../../accounts/users/model.ts";
import type { Happening, Reason } from "../../site/mail/texts/vocabulary.ts";

/** What a letter tells: the first of these that happened at once. */
export const happenings: readonly Happening[] = [
  "created",
  "approved",
  "rejected",
  "reviewed",
  "commented",
  "merged",
  "closed",
  "reopened",
  "pushed",
  "requested",
  "assigned",
  "mentioned",
];

/** What happened to an issue in one transaction, as the jobs keep it: ids alone, so that nothing is told that has become secret meanwhile. */
export interface IssueNews {
  /** The first of its events. */
  readonly eventId: number;
  readonly happening: Happening;
  readonly repoId: number;
  readonly issueId: number;
  readonly number: number;
  /** The comment that it is about. */
  readonly commentId: number | null;
  /** The review that was submitted. */
  readonly reviewId: number | null;
  /** The commits that came; null: none. */
  readonly push: { readonly headOid: string; readonly formerHeadOid: string } | null;
  /** Null: the server itself. */
  readonly actorId: number | null;
  readonly mentionedIds: readonly number[];
  /** Who is asked for a review. */
  readonly askedIds: readonly number[];
  readonly assigneeIds: readonly number[];
}

/** Why somebody gets a letter, the most telling first: a follower is each of these that he can be. */
export const reasons = ["mention", "requested", "assign", "author", "assignee", "comment", "subscribed", "watch"] as const satisfies readonly Reason[];

export interface Addressee {
  readonly accountId: number;
  readonly reason: (typeof reasons)[number];
}

/** Where letters to an account go, and whether they do. */
export interface Mailbox {
  readonly email: string;
  readonly isVerified: boolean;
  readonly choice: EmailNotifications;
}
