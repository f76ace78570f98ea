import type { EmailNotifications } from "../../accounts/users/model.ts";
import type { NewsReason } from "../notifications/reasons.ts";

/** Actions that emails about issues and pull requests report. */
export type Happening =
  | "created"
  | "approved"
  | "rejected"
  | "reviewed"
  | "commented"
  | "merged"
  | "closed"
  | "reopened"
  | "transferred"
  | "pushed"
  | "requested"
  | "assigned"
  | "mentioned";

/** The actor and the subject of an action. */
export interface IssueSentence {
  readonly actor: string;
  /** `issue #7`. */
  readonly subject: string;
  /** `owner/name`. */
  readonly repository: string;
}

/** Kinds of emails: the first that occurred in a transaction counts. */
export const happenings: readonly Happening[] = [
  "created",
  "approved",
  "rejected",
  "reviewed",
  "commented",
  "merged",
  "closed",
  "reopened",
  "transferred",
  "pushed",
  "requested",
  "assigned",
  "mentioned",
];

/** An issue's changes in one transaction, as jobs store them: only ids, so that nothing that has become hidden is sent. */
export interface IssueNews {
  /** The first of its events. */
  readonly eventId: number;
  readonly happening: Happening;
  readonly repoId: number;
  readonly issueId: number;
  readonly number: number;
  /** The comment, if any. */
  readonly commentId: number | null;
  /** The submitted review. */
  readonly reviewId: number | null;
  /** The pushed commits; null: none. */
  readonly push: { readonly headOid: string; readonly formerHeadOid: string } | null;
  /** Null: the server itself. */
  readonly actorId: number | null;
  readonly mentionedIds: readonly number[];
  /** Users requested for a review. */
  readonly askedIds: readonly number[];
  readonly assigneeIds: readonly number[];
}

export interface Addressee {
  readonly accountId: number;
  readonly reason: NewsReason;
}

/** Email address and settings of an account. */
export interface Mailbox {
  readonly email: string;
  readonly isVerified: boolean;
  readonly choice: EmailNotifications;
}
