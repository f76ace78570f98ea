/** What an entry of a timeline tells besides its text, by its kind. Ids may be of what is gone: then the entry shows nothing in its place. */
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
  /** Of a commit that names the issue: its repository. Absent in older entries, whose commits are of the issue's own repository for the most part. */
  readonly commitRepoId?: number;
  readonly refAction?: RefAction;
  readonly reviewId?: number;
  /** The team that is asked for a review. */
  readonly teamId?: number;
}

/** What a reference asks for: `neutered` when its text no longer does. */
export type RefAction = "none" | "closes" | "reopens" | "neutered";

const none: CommentPayload = {};

export const parseFacts = (text: string): CommentPayload => (text === "{}" ? none : (JSON.parse(text) as CommentPayload));
