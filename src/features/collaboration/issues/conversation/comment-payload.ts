import type { CloseReason } from "../close-reason.ts";
import type { HideReason } from "./hide-reason.ts";

/** Data of a timeline entry besides its text, by kind. Ids can refer to deleted rows; the entry then leaves them out. */
export interface CommentPayload {
  readonly labelId?: number;
  readonly milestoneId?: number;
  readonly oldMilestoneId?: number;
  readonly assigneeId?: number;
  readonly isAssigneeRemoved?: boolean;
  readonly oldTitle?: string;
  readonly newTitle?: string;
  readonly oldRef?: string;
  readonly newRef?: string;
  readonly dependencyId?: number;
  readonly timeId?: number;
  readonly commitOid?: string;
  readonly closeReason?: CloseReason;
  /**
   * Repository of a commit that references the issue. Absent in older entries, whose commits usually belong to the issue's own repository.
   */
  readonly commitRepoId?: number;
  readonly refAction?: RefAction;
  readonly reviewId?: number;
  /** The comment is collapsed on pages. */
  readonly hiddenAs?: HideReason;
  /** The repository and the number before a transfer. */
  readonly formerRepoId?: number;
  readonly formerNumber?: number;
  /** The team requested for review. */
  readonly teamId?: number;
}

/** Action of a reference: `neutered` once its text no longer requests one. */
export type RefAction = "none" | "closes" | "reopens" | "neutered";

const none: CommentPayload = {};

export const parseCommentPayload = (text: string): CommentPayload => (text === "{}" ? none : (JSON.parse(text) as CommentPayload));
