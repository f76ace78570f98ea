import type { UserActor } from "../../../../access/actor.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import { foldEmail, isValidEmail } from "../../../../core/names.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { type Author, recordEvent } from "../../../../events/events.ts";
import type { EmailView } from "../model.ts";
import { updateAccount } from "../store/accounts.ts";
import { deleteEmails, insertEmails, listEmails as listRows, listUsedEmails, movePrimary, searchEmails as searchRows, verifyEmail } from "../store/emails.ts";

/** A claimed address is blocked for others, so the number is limited. */
const maxEmails = 50;

export const listEmails = (deps: { readonly db: Reader }, user: Pick<UserActor, "id">): Promise<readonly EmailView[]> => listRows(deps.db, user.id);

/** For administrators. @param text part of an address or of its user's name; empty for all */
export const searchEmails = (deps: { readonly db: Reader }, text: string, page: Page): Promise<Paged<EmailView>> => searchRows(deps.db, text.trim(), page);

/**
 * Adds addresses to a user, all or none. They are unverified, and such addresses neither sign in nor attribute commits. Addresses
 * added by an administrator with sudo count as verified.
 * @returns all of the user's addresses
 * @throws ForgeError `invalid` for an empty list, an invalid address, and one in use
 */
export async function addEmails(deps: { readonly db: Db }, actor: Author, emails: readonly string[]): Promise<readonly EmailView[]> {
  if (emails.length === 0) throw invalid("Email list empty", { reason: "required" });
  const wrong = emails.find((email) => !isValidEmail(email));
  if (wrong !== undefined) throw invalid(`Email address ${JSON.stringify(wrong)} invalid`, { reason: "invalid_email" });
  const distinct = [...new Map(emails.map((email) => [foldEmail(email), email])).values()];
  const inUse = (email: string) => invalid(`Email address has been used: ${email}`, { reason: "email_taken" });
  try {
    return await deps.db.tx(async (tx) => {
      const used = await listUsedEmails(tx, distinct.map(foldEmail));
      const taken = distinct.find((email) => used.has(foldEmail(email)));
      if (taken !== undefined) throw inUse(taken);
      const present = await listRows(tx, actor.id);
      if (present.length + distinct.length > maxEmails)
        throw invalid(`a user can have at most ${maxEmails} addresses`, { reason: { code: "too_many_items", max: maxEmails } });
      await insertEmails(tx, actor.id, distinct, actor.impersonator === undefined ? "claimed" : "verified");
      await recordEvent(tx, "email.added", { accountId: actor.id, name: actor.name, emails: distinct }, { by: actor });
      return listRows(tx, actor.id);
    });
  } catch (error) {
    throw isUniqueViolation(error, "account_emails.folded") ? inUse(distinct.join(", ")) : error;
  }
}

/** Marks an address as verified. @throws ForgeError `not_found` for one that is not the user's */
export async function markVerified(tx: Tx, by: Author | null, user: Pick<UserActor, "id" | "name">, email: string): Promise<void> {
  const isNew = await verifyEmail(tx, user.id, foldEmail(email));
  if (isNew === undefined) throw notFound(`${email} is not an address of ${user.name}`);
  if (isNew) await recordEvent(tx, "email.verified", { accountId: user.id, name: user.name, emails: [email] }, { by });
}

/**
 * Deletes the caller's addresses, all or none.
 * @throws ForgeError `not_found` for one that is not the caller's, `invalid` for the primary one
 */
export async function removeEmails(deps: { readonly db: Db }, actor: Author, emails: readonly string[]): Promise<void> {
  const folded = [...new Set(emails.map(foldEmail))];
  if (folded.length === 0) return;
  await deps.db.tx(async (tx) => {
    const own = new Map((await listRows(tx, actor.id)).map((email) => [foldEmail(email.email), email]));
    const missing = folded.find((email) => !own.has(email));
    if (missing !== undefined) throw notFound(`Email address does not exist [email: ${missing}]`);
    if (folded.some((email) => own.get(email)?.isPrimary)) throw invalid("the primary address cannot be deleted", { reason: "primary_email" });
    await deleteEmails(tx, actor.id, folded);
    const removed = folded.map((email) => own.get(email)?.email ?? email);
    await recordEvent(tx, "email.removed", { accountId: actor.id, name: actor.name, emails: removed }, { by: actor });
  });
}

/**
 * Changes the caller's primary address, which receives email and is used in commits.
 * @throws ForgeError `not_found` for one that is not the caller's, `invalid` for an unverified one
 */
export async function choosePrimaryEmail(deps: { readonly db: Db }, actor: UserActor, email: string): Promise<readonly EmailView[]> {
  return deps.db.tx(async (tx) => {
    const own = await listRows(tx, actor.id);
    const chosen = own.find((one) => foldEmail(one.email) === foldEmail(email));
    const present = own.find(({ isPrimary }) => isPrimary);
    if (chosen === undefined || present === undefined) throw notFound(`${email} is not an address of ${actor.name}`);
    if (!chosen.isVerified) throw invalid("[Email]: only a verified address can be the primary one", { reason: "email_not_verified" });
    if (chosen.isPrimary) return own;
    await movePrimary(tx, actor.id, foldEmail(chosen.email));
    await updateAccount(tx, actor.id, { email: chosen.email, updated_ms: tx.nowMs });
    const changes = { email: [present.email, chosen.email] } as const;
    await recordEvent(tx, "account.updated", { accountId: actor.id, name: actor.name, kind: "user", changes }, { by: actor });
    return listRows(tx, actor.id);
  });
}
