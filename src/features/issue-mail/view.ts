import type { EmailNotifications } from "../users/view.ts";

/** What a letter tells: the first of these that happened at once. */
export const happenings = ["created", "commented", "closed", "reopened", "assigned", "mentioned"] as const;
export type Happening = (typeof happenings)[number];

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
  /** Null: the server itself. */
  readonly actorId: number | null;
  readonly mentionedIds: readonly number[];
  readonly assigneeIds: readonly number[];
}

/** Why somebody gets a letter, the most telling first: a follower is each of these that he can be. */
export const reasons = ["mention", "assign", "author", "assignee", "comment", "subscribed", "watch"] as const;
export type Reason = (typeof reasons)[number];

export interface Addressee {
  readonly accountId: number;
  readonly reason: Reason;
}

/** Where letters to an account go, and whether they do. */
export interface Mailbox {
  readonly email: string;
  readonly isVerified: boolean;
  readonly choice: EmailNotifications;
}
