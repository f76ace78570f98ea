import { type Actor, isSelf, type UserActor } from "../../../../access/actor.ts";
import type { AccountSubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { isForeignKeyViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { UserView } from "../model.ts";
import { deleteFollow, hasFollow, insertFollow, pageFollowIds } from "../store/follows.ts";
import { loadUsersInOrder } from "./accounts.ts";
import { requireNoBlockBetween } from "./blocks.ts";

interface ReadDeps {
  readonly db: Reader;
}

/** @throws ForgeError `not_found` when an account does not follow another */
export async function requireFollowing(deps: ReadDeps, accountId: number, target: AccountSubject): Promise<void> {
  if (!(await hasFollow(deps.db, accountId, target.id))) throw notFound();
}

/** Whether an account follows another. */
export const isFollowing = (deps: ReadDeps, accountId: number, target: AccountSubject): Promise<boolean> => hasFollow(deps.db, accountId, target.id);

/** Follows an account; a repeated follow has no effect. @throws ForgeError `forbidden` if one of the two has blocked the other */
export async function follow(deps: { readonly db: Db }, actor: UserActor, target: AccountSubject): Promise<void> {
  // @compat Gitea accepts it without effect (users/api/follows.test.ts)
  if (isSelf(actor, target.id)) return;
  try {
    await deps.db.tx(async (tx) => {
      await requireNoBlockBetween({ db: tx }, actor.id, target.id);
      if (await insertFollow(tx, actor.id, target.id)) await recordEvent(tx, "account.followed", eventOf(target), { actorId: actor.id });
    });
  } catch (error) {
    throw isForeignKeyViolation(error) ? notFound() : error;
  }
}

/** Unfollows an account; has no effect without a follow. */
export async function unfollow(deps: { readonly db: Db }, actor: UserActor, target: AccountSubject): Promise<void> {
  await deps.db.tx(async (tx) => {
    if (await deleteFollow(tx, actor.id, target.id)) await recordEvent(tx, "account.unfollowed", eventOf(target), { actorId: actor.id });
  });
}

const eventOf = (target: AccountSubject) => ({ accountId: target.id, name: target.name });

/** An account's followers or the accounts that it follows, limited to those that the caller can see. */
export async function listFollows(deps: ReadDeps, actor: Actor, accountId: number, side: "followers" | "following", page: Page): Promise<Paged<UserView>> {
  const { items, total } = await pageFollowIds(deps.db, accountId, side, actor, page);
  return { items: await loadUsersInOrder(deps, items), total };
}
