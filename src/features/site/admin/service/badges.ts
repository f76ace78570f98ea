import type { UserActor } from "../../../../access/actor.ts";
import type { AccountSubject } from "../../../../access/subjects.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import { isWebUrl } from "../../../../core/urls.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import { requireUserAccount } from "../../../accounts/users/service/accounts.ts";
import type { BadgeView } from "../model.ts";
import { deleteBadge as deleteRow, findBadges, giveBadges, insertBadge, listBadges as listAll, listBadgesOf, takeBadges } from "../store.ts";

export const listBadges = (deps: { readonly db: Reader }): Promise<readonly BadgeView[]> => listAll(deps.db);

/** A user's badges. */
export const listUserBadges = (deps: { readonly db: Reader }, account: AccountSubject): Promise<readonly BadgeView[]> =>
  listBadgesOf(deps.db, requireUserAccount(account).id);

/**
 * Adds badges to a user or removes them. Badges already present or absent stay unchanged.
 * @throws ForgeError `invalid` for adding an unknown badge; nothing changes then
 */
export async function changeUserBadges(
  deps: { readonly db: Db },
  actor: UserActor,
  account: AccountSubject,
  change: "give" | "take",
  slugs: readonly string[],
): Promise<void> {
  requireUserAccount(account);
  const wanted = [...new Set(slugs)];
  if (wanted.length === 0) return;
  await deps.db.tx(async (tx) => {
    const badges = await findBadges(tx, wanted);
    const unknown = wanted.find((slug) => !badges.some((badge) => badge.slug === slug));
    if (change === "give" && unknown !== undefined) throw invalid(`badge does not exist [slug: ${unknown}]`);
    const ids = badges.map(({ id }) => id);
    const changed = await (change === "give" ? giveBadges : takeBadges)(tx, account.id, ids);
    if (changed.length === 0) return;
    const named = badges.filter(({ id }) => changed.includes(id)).map(({ slug }) => slug);
    const event = { accountId: account.id, name: account.name, badges: named };
    await recordEvent(tx, change === "give" ? "badge.added" : "badge.removed", event, { by: actor });
  });
}

const slugForm = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/** Creates a badge. @throws ForgeError `invalid` for a slug that is invalid or in use */
export async function createBadge(deps: { readonly db: Db }, badge: Omit<BadgeView, "id">): Promise<void> {
  if (!slugForm.test(badge.slug)) throw invalid("the slug of a badge can have at most 40 lower-case letters, digits, - and _");
  if (badge.imageUrl !== "" && !isWebUrl(badge.imageUrl)) throw invalid(`${badge.imageUrl} is not the address of an image`);
  try {
    await deps.db.tx((tx) => insertBadge(tx, badge));
  } catch (error) {
    throw isUniqueViolation(error, "badges.slug") ? invalid(`a badge ${badge.slug} already exists`) : error;
  }
}

/** Deletes a badge and removes it from all users. @throws ForgeError `not_found` */
export async function deleteBadge(deps: { readonly db: Db }, slug: string): Promise<void> {
  if (!(await deps.db.tx((tx) => deleteRow(tx, slug)))) throw notFound(`there is no badge ${slug}`);
}
