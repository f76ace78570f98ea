import type { IssueEvent, Mentions } from "./issue-events.ts";

/** Events of pull request reviews. Pending reviews record no events until they are submitted. */
export interface ReviewEvents {
  "review.submitted": ReviewEvent & Mentions & { readonly content: string };
  "review.dismissed": ReviewEvent & { readonly message: string };
  "review.undismissed": ReviewEvent;
  "review.deleted": ReviewEvent;
  "review.requested": ReviewRequestEvent;
  "review.request_removed": ReviewRequestEvent;
  "review.conversation_resolved": ConversationEvent;
  "review.conversation_unresolved": ConversationEvent;
}

export interface ReviewEvent extends IssueEvent {
  readonly isPull: true;
  readonly reviewId: number;
  readonly kind: "approve" | "reject" | "comment";
  /** Its timeline entry. */
  readonly commentId: number | null;
}

/** The requested reviewer: a user or a team. */
export interface ReviewRequestEvent extends IssueEvent {
  readonly isPull: true;
  readonly reviewId: number;
  readonly reviewerId: number | null;
  readonly teamId: number | null;
  /** The requested accounts: the reviewer, or the members of the team. */
  readonly askedIds: readonly number[];
}

export interface ConversationEvent extends IssueEvent {
  readonly isPull: true;
  /** The first comment of the thread. */
  readonly threadId: number;
}
