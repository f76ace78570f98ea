import type { IssueEvent, Mentions } from "./issue-events.ts";

/** What happens to reviews of pull requests. What is pending is told by nobody until it is submitted. */
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
  /** Its entry in the timeline. */
  readonly commentId: number | null;
}

/** One of the two is asked. */
export interface ReviewRequestEvent extends IssueEvent {
  readonly isPull: true;
  readonly reviewId: number;
  readonly reviewerId: number | null;
  readonly teamId: number | null;
  /** The accounts that are meant: the reviewer, or members of the team. */
  readonly askedIds: readonly number[];
}

export interface ConversationEvent extends IssueEvent {
  readonly isPull: true;
  /** The comment that began it. */
  readonly threadId: number;
}
