import { changesBetween } from "../../../../core/changes.ts";
import { foldEmail, isValidEmail } from "../../../../core/names.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { countAdmins, forgetCredentials, loadEditable, replacePrimaryEmail, updateAccount } from "../store/accounts.ts";
import { deleteEmails } from "../store/emails.ts";
import {
  clearSource,
  findClaim,
  findEmailOwner,
  findIdsByLogin,
  forgetCredentialsByIds,
  forgetCredentialsBySource,
  isPasswordKept,
  loadLogins,
  type SourcedLogin,
} from "../store/sourced-accounts.ts";

/** The limit of a user's settings (wire facts, UserSettingsOptions). */
const maxFullNameLength = 100;

/** A source's data about an account; undefined fields are unknown to the source. */
export interface SourcedAccountInput {
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
  readonly isAdmin?: boolean | undefined;
  readonly isRestricted?: boolean | undefined;
}

/** The account of a source's login name; undefined unless exactly one exists. */
export async function findSourcedAccount(deps: { readonly db: Reader }, sourceId: number, loginName: string): Promise<number | undefined> {
  const ids = await findIdsByLogin(deps.db, sourceId, loginName);
  return ids.length === 1 ? ids[0] : undefined;
}

/** Active users of a source with their login names. One statement. */
export const listSourcedLogins = (deps: { readonly db: Reader }, sourceId: number): Promise<readonly SourcedLogin[]> => loadLogins(deps.db, sourceId);

/**
 * Deactivates an account that its source no longer knows: sessions, tokens and keys stop working until an administrator reactivates
 * it. Skips the last administrator and accounts that have left the source in the meantime.
 * @returns whether it was deactivated
 */
export const deactivateSourced = (deps: { readonly db: Db }, id: number, sourceId: number): Promise<boolean> =>
  deps.db.tx(async (tx) => {
    const present = await loadEditable(tx, id);
    if (present === undefined || present.sourceId !== sourceId || !present.isActive) return false;
    if (present.isAdmin && !present.prohibitLogin && (await countAdmins(tx)) <= 1) return false;
    await updateAccount(tx, id, { is_active: 0, updated_ms: tx.nowMs });
    await forgetCredentials(tx, id);
    const changes = changesBetween(present, { ...present, isActive: false });
    await recordEvent(tx, "account.updated", { accountId: id, name: present.name, kind: "user", changes }, { by: null });
    return true;
  });

/** Invalidates cached verifications and sessions of the accounts of a source. */
export const forgetCredentialsOfSource = (tx: Tx, sourceId: number): Promise<void> => forgetCredentialsBySource(tx, sourceId);

/** The same for given accounts. */
export const forgetCredentialsOf = (tx: Tx, ids: readonly number[]): Promise<void> => forgetCredentialsByIds(tx, ids);

/** Whether a user can sign in with a password, stored here or in a directory. */
export const hasPassword = (db: Reader, accountId: number): Promise<boolean> => isPasswordKept(db, accountId);

/** Detaches an account from its source. Other accounts stay unchanged. */
export const leaveSource = (tx: Tx, accountId: number, sourceId: number): Promise<void> => clearSource(tx, accountId, sourceId);

/**
 * Removes an unverified claim to an address after a source has shown its owner. Otherwise a claim could keep the owner out.
 * @param ownerId the owner; undefined: a user without an account yet
 */
export async function dropClaim(tx: Tx, address: string, ownerId?: number): Promise<void> {
  const claim = await findClaim(tx, address);
  if (claim === undefined || claim.accountId === ownerId) return;
  const { accountId, name, email } = claim;
  await deleteEmails(tx, accountId, [foldEmail(email)]);
  await recordEvent(tx, "email.removed", { accountId, name, emails: [email] }, { by: null });
}

/**
 * Updates an account to its source's data; does not write if they agree. An address in use stays with its account, the last
 * administrator keeps the role, and a prohibited account stays prohibited: the source knows the identity, not this server's
 * restrictions.
 */
export async function refreshSourcedAccount(deps: { readonly db: Db }, id: number, input: SourcedAccountInput): Promise<void> {
  const seen = await loadEditable(deps.db, id);
  if (seen === undefined || Object.keys(differences(seen, input)).length === 0) return;
  await deps.db.tx(async (tx) => {
    const present = await loadEditable(tx, id);
    if (present === undefined) return;
    const { email, ...rest } = differences(present, input);
    const changed: { full_name?: string; email?: string; is_admin?: number; is_restricted?: number } = {};
    if (rest.fullName !== undefined) changed.full_name = rest.fullName;
    if (rest.isRestricted !== undefined) changed.is_restricted = rest.isRestricted ? 1 : 0;
    if (rest.isAdmin === true || (rest.isAdmin === false && (await countAdmins(tx)) > 1)) changed.is_admin = rest.isAdmin ? 1 : 0;
    if (email !== undefined) await dropClaim(tx, email, id);
    if (email !== undefined && [undefined, id].includes(await findEmailOwner(tx, email))) {
      await replacePrimaryEmail(tx, id, email);
      changed.email = email;
    }
    if (Object.keys(changed).length === 0) return;
    await updateAccount(tx, id, { ...changed, updated_ms: tx.nowMs });
    const edited = await loadEditable(tx, id);
    const event = { accountId: id, name: present.name, kind: "user", changes: changesBetween(present, edited ?? present) } as const;
    await recordEvent(tx, "account.updated", event, { by: null });
  });
}

function differences(
  present: { readonly fullName: string; readonly email: string; readonly isAdmin: boolean; readonly isRestricted: boolean },
  input: SourcedAccountInput,
): SourcedAccountInput {
  const fullName = input.fullName?.slice(0, maxFullNameLength);
  const differs = <T>(given: T | undefined, now: T): given is T => given !== undefined && given !== now;
  return {
    ...(fullName !== "" && differs(fullName, present.fullName) && { fullName }),
    ...(input.email !== undefined && isValidEmail(input.email) && foldEmail(input.email) !== foldEmail(present.email) && { email: input.email }),
    ...(differs(input.isAdmin, present.isAdmin) && { isAdmin: input.isAdmin }),
    ...(differs(input.isRestricted, present.isRestricted) && { isRestricted: input.isRestricted }),
  };
}
