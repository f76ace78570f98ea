/** What letters tell of that belongs to no issue; as the jobs keep it, so that nothing is told that has become secret meanwhile. */
export type RepositoryNews = MentionNews | OfferNews | HookNews;

/** The message of a commit names somebody. */
export interface MentionNews {
  readonly kind: "mention";
  readonly eventId: number;
  readonly repoId: number;
  readonly oid: string;
  /** When it was pushed: who was told of the commit before is told no more. */
  readonly pushedMs: number;
  readonly mentionedIds: readonly number[];
  readonly actorId: number | null;
}

/** A repository is to have another owner, who is asked. */
export interface OfferNews {
  readonly kind: "offer";
  readonly eventId: number;
  readonly repoId: number;
  readonly actorId: number | null;
}

/** A webhook has failed for good. */
export interface HookNews {
  readonly kind: "hook";
  readonly eventId: number;
  readonly hookId: number;
  readonly isOfRepository: boolean;
  readonly ownerId: number;
  /** `owner/name` of a repository, or the name of an account. */
  readonly ownerName: string;
  readonly host: string;
  readonly isSwitchedOff: boolean;
  readonly actorId: null;
}
