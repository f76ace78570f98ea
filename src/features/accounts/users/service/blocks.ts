import { isSelf, type UserActor } from "../../../../access/actor.ts";
import type { AccountSubject } from "../../../../access/subjects.ts";
import { type ForgeError, forbidden, malformed, notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { UserView } from "../model.ts";
import { isMember } from "../store/accounts.ts";
import { deleteBlock, hasBlock, hasBlockBetween, insertBlock, listBlockers, pageBlockedIds } from "../store/blocks.ts";
import { deleteFollow } from "../store/follows.ts";
import { loadUsersInOrder } from "./accounts.ts";

interface ReadDeps {
  readonly db: Reader;
}

/** The blocker: a user, or an organization on behalf of one of its owners. */
export type Blocker = Pick<AccountSubject, "id" | "name" | "kind">;

/** @throws ForgeError `forbidden` for a caller whom the account has blocked */
export async function requireUnblocked(deps: ReadDeps, actor: UserActor, accountId: number): Promise<void> {
  if (!isSelf(actor, accountId) && (await hasBlock(deps.db, accountId, actor.id))) throw forbidden("user is blocked", { reason: "user_blocked" });
}

/** Those of some accounts that block another one. One statement. */
export const blockersAmong = (deps: ReadDeps, blockerIds: readonly number[], accountId: number): Promise<readonly number[]> =>
  listBlockers(deps.db, blockerIds, accountId);

/** Checks several accounts at once: the repository's owner and the content's author. @throws ForgeError `forbidden` */
export async function requireUnblockedByAll(deps: ReadDeps, actor: UserActor, accountIds: readonly number[]): Promise<void> {
  const others = accountIds.filter((id) => !isSelf(actor, id));
  if (others.length > 0 && (await listBlockers(deps.db, others, actor.id)).length > 0) throw forbidden("user is blocked", { reason: "user_blocked" });
}

/** @throws ForgeError `forbidden` when either of two accounts blocks the other */
export async function requireNoBlockBetween(deps: ReadDeps, one: number, other: number): Promise<void> {
  if (await hasBlockBetween(deps.db, one, other)) throw forbidden("user is blocked", { reason: "user_blocked" });
}

/** The accounts that an account blocks and that the caller can see. */
export const listBlocked = async (deps: ReadDeps, actor: UserActor, blockerId: number, page: Page): Promise<Paged<UserView>> => {
  const { items, total } = await pageBlockedIds(deps.db, blockerId, actor, page);
  return { items: await loadUsersInOrder(deps, items), total };
};

/** @compat Gitea also rejects a repeated block, with this status (blocks/api.test.ts) */
export const cannotBlock = (): ForgeError => malformed("cannot block the user", { reason: "cannot_block" });

/**
 * Blocks a user inside the caller's transaction and ends follows in both directions.
 * @throws ForgeError `malformed` for an organization, oneself, one's own members, and users already blocked
 */
export async function addBlock(tx: Tx, actor: UserActor, blocker: Blocker, target: AccountSubject, note: string): Promise<void> {
  const isOwn = target.id === blocker.id || (blocker.kind === "organization" && (await isMember(tx, blocker.id, target.id)));
  if (target.kind !== "user" || isOwn || (await hasBlock(tx, blocker.id, target.id))) throw cannotBlock();
  await insertBlock(tx, blocker.id, target.id, note);
  await deleteFollow(tx, blocker.id, target.id);
  await deleteFollow(tx, target.id, blocker.id);
  await recordEvent(tx, "block.created", eventOf(blocker, target), { by: actor });
}

/** Ends a block. @throws ForgeError `malformed` if there is none */
export async function removeBlock(tx: Tx, actor: UserActor, blocker: Blocker, target: AccountSubject): Promise<void> {
  if (!(await deleteBlock(tx, blocker.id, target.id))) throw malformed("cannot unblock the user", { reason: "changed_meanwhile" });
  await recordEvent(tx, "block.deleted", eventOf(blocker, target), { by: actor });
}

const eventOf = (blocker: Blocker, target: AccountSubject) => ({
  blockerId: blocker.id,
  blockerName: blocker.name,
  memberId: target.id,
  memberName: target.name,
});

/** @throws ForgeError `not_found` for an account that is not blocked */
export async function requireBlocked(deps: ReadDeps, blocker: Blocker, target: AccountSubject): Promise<void> {
  if (!(await hasBlock(deps.db, blocker.id, target.id))) throw notFound();
}
