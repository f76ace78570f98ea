import type { Reader } from "../../../../db/db.ts";
import { listOwnerIds } from "../../../organizations/orgs/service/owners.ts";
import type { PendingTransfer } from "../../../repositories/repos/model.ts";
import { findPendingTransfer } from "../../../repositories/repos/service/transfer-requests.ts";
import { listFirstNotified } from "../../notifications/service/commit-news.ts";
import { listEmailedWatchers } from "../../notifications/service/release-news.ts";
import type { HookNews, OfferNews, RepositoryNews } from "../model.ts";

/**
 * Recipients of news: users whom a commit mentions for the first time, watchers of releases, or owners of the subject. At most two statements.
 * @param after only a batch after this recipient, of at most `limit`; the others are few and are all listed at once
 */
export async function listRecipients(db: Reader, news: RepositoryNews, after: { readonly id: number; readonly limit: number }): Promise<readonly number[]> {
  switch (news.kind) {
    case "release":
      return listEmailedWatchers({ db }, news, after.id, after.limit);
    case "mention":
      return listFirstNotified({ db }, news.mentionedIds, news);
    case "offer":
      return (await findOffer(db, news))?.recipientIds ?? [];
    case "hook":
      return listHookOwners(db, news);
  }
}

export const listHookOwners = (db: Reader, { ownerId }: HookNews): Promise<readonly number[]> => listOwnerIds({ db }, ownerId);

export interface Offer extends PendingTransfer {
  /** The new owner, or the owners of the receiving organization. */
  readonly recipientIds: readonly number[];
}

/** A pending transfer; undefined if it is answered or withdrawn. Two statements. */
export async function findOffer(db: Reader, { repoId, actorId }: OfferNews): Promise<Offer | undefined> {
  const pending = await findPendingTransfer({ db }, repoId);
  if (pending === undefined) return undefined;
  const owners = await listOwnerIds({ db }, pending.recipientId);
  return { ...pending, recipientIds: owners.filter((id) => id !== actorId) };
}
