/** News besides issues that cause emails, as jobs store them: only ids, so that nothing that has become hidden is sent. */
export type RepositoryNews = MentionNews | OfferNews | HookNews | PublishedNews;

/** A commit message mentions users. */
export interface MentionNews {
  readonly kind: "mention";
  readonly eventId: number;
  readonly repoId: number;
  readonly oid: string;
  /** Time of the push: users who were notified of the commit before are skipped. */
  readonly pushedMs: number;
  readonly mentionedIds: readonly number[];
  readonly actorId: number | null;
}

/** A repository transfer awaits the new owner's answer. */
export interface OfferNews {
  readonly kind: "offer";
  readonly eventId: number;
  readonly repoId: number;
  readonly actorId: number | null;
}

/** A release is published. */
export interface PublishedNews {
  readonly kind: "release";
  readonly eventId: number;
  readonly repoId: number;
  readonly releaseId: number;
  readonly actorId: number | null;
}

/** A webhook has failed permanently. */
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
