import { type Actor, isSelf, isSiteAdmin, type UserActor } from "../../../../access/actor.ts";
import type { AccountSubject } from "../../../../access/subjects.ts";
import { forbidden, invalid, isForgeError, notFound } from "../../../../core/errors.ts";
import { checkLength, lengths } from "../../../../core/lengths.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { recordEvent } from "../../../../events/events.ts";
import { findAccount, getUser, isVisibleTo } from "../../users/service/accounts.ts";
import type { OwnedKeyView, PublicKeyView } from "../model.ts";
import { withoutComment } from "../public-key.ts";
import { deleteUnusedKey, deleteUserKey, findByFingerprint, findUserKey, insertPublicKey, listKeyLines, pageUserKeys } from "../store/public-keys.ts";
import { readKey } from "./read-key.ts";

export interface NewKeyInput {
  readonly title: string;
  readonly key: string;
}

const isPrivy = (actor: Actor, accountId: number): boolean => isSelf(actor, accountId) || isSiteAdmin(actor);

/** An account's keys, with their owner for the account itself and for administrators. */
export async function listUserKeys(
  deps: { readonly db: Reader },
  actor: UserActor,
  accountId: number,
  fingerprint: string | undefined,
  page: Page,
): Promise<Paged<OwnedKeyView>> {
  const { items, total } = await pageUserKeys(deps.db, accountId, fingerprint, page);
  const owner = items.length > 0 && isPrivy(actor, accountId) ? await getUser(deps, accountId) : undefined;
  return { total, items: items.map((key) => ({ ...key, owner })) };
}

/** @throws ForgeError `not_found` for a key of a user hidden from the caller */
export async function getUserKey(deps: { readonly db: Reader }, actor: UserActor, id: number): Promise<OwnedKeyView> {
  const key = await findUserKey(deps.db, id);
  if (key === undefined) throw notFound();
  const owner = await getUser(deps, key.accountId);
  if (!isVisibleTo(owner, actor)) throw notFound();
  return { ...key, owner: isPrivy(actor, owner.id) ? owner : undefined };
}

/**
 * Adds a key to an account, as its owner or an administrator. A key belongs to one account and cannot also be a deploy key.
 * @throws ForgeError `invalid` for an invalid key, and for a key or title in use
 */
export async function addUserKey(deps: { readonly db: Db }, actor: UserActor, account: Pick<AccountSubject, "id">, input: NewKeyInput): Promise<OwnedKeyView> {
  const { content, fingerprint } = readKey(input.key);
  checkLength("Title", input.title, lengths.line);
  try {
    return await deps.db.tx(async (tx) => {
      const known = await findByFingerprint(tx, fingerprint);
      if (known !== undefined && !(await deleteUnusedKey(tx, known.id))) throw invalid(keyInUse, { reason: "key_in_use" });
      const id = await insertPublicKey(tx, { accountId: account.id, title: input.title, content, fingerprint });
      await recordEvent(tx, "public_key.created", { accountId: account.id, keyId: id, fingerprint }, { by: actor });
      const owner = await getUser({ db: tx }, account.id);
      return { id, accountId: account.id, title: input.title, content, fingerprint, createdMs: tx.nowMs, lastUsedMs: 0, owner };
    });
  } catch (error) {
    if (isUniqueViolation(error, "public_keys.account_id,title")) throw invalid("Key title has been used", { reason: "title_taken", field: "title" });
    throw error;
  }
}

const keyInUse = "Key content has been used as non-deploy key";

/** Removes a key, as its owner or an administrator. @throws ForgeError `forbidden` for a key of another user */
export async function removeOwnKey(deps: { readonly db: Db }, actor: UserActor, id: number): Promise<void> {
  const key = await getUserKey(deps, actor, id);
  if (!isPrivy(actor, key.accountId)) throw forbidden("You do not have access to this key");
  await remove(deps, actor, key);
}

/** Removes a key from one account. @throws ForgeError `not_found` for a key of another account */
export async function removeUserKey(deps: { readonly db: Db }, actor: UserActor, account: Pick<AccountSubject, "id">, id: number): Promise<void> {
  const key = await findUserKey(deps.db, id);
  if (key?.accountId !== account.id) throw notFound();
  await remove(deps, actor, key);
}

function remove(deps: { readonly db: Db }, actor: UserActor, { id, accountId, fingerprint }: PublicKeyView): Promise<void> {
  return deps.db.tx(async (tx) => {
    await deleteUserKey(tx, id);
    await recordEvent(tx, "public_key.deleted", { accountId, keyId: id, fingerprint }, { by: actor });
  });
}

/**
 * An account's keys in the format of an authorized_keys file, without comments; or the account's current name.
 * @throws ForgeError `not_found`, the same for a hidden and a missing account
 */
export async function keyFile(deps: { readonly db: Reader }, actor: Actor, name: string): Promise<{ readonly text: string } | { readonly movedTo: string }> {
  const found = await findAccount(deps, name, actor).catch((error: unknown) => {
    throw isForgeError(error, "not_found") ? notFound() : error;
  });
  if ("movedTo" in found) return { movedTo: found.movedTo };
  const lines = await listKeyLines(deps.db, found.subject.id);
  return { text: lines.map((line) => `${withoutComment(line)}\n`).join("") };
}
