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

/** As the settings of a user have it (wire facts, UserSettingsOptions). */
const maxFullNameLength = 100;

/** What a source says of an account. What is undefined it does not say. */
export interface SourcedAccountInput {
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
  readonly isAdmin?: boolean | undefined;
  readonly isRestricted?: boolean | undefined;
}

/** The account of a source's login name; undefined where there is none, and where there are two of them. */
export async function findSourcedAccount(deps: { readonly db: Reader }, sourceId: number, loginName: string): Promise<number | undefined> {
  const ids = await findIdsByLogin(deps.db, sourceId, loginName);
  return ids.length === 1 ? ids[0] : undefined;
}

/** Users of a source who are active here, with what they are called there. One statement. */
export const listSourcedLogins = (deps: { readonly db: Reader }, sourceId: number): Promise<readonly SourcedLogin[]> => loadLogins(deps.db, sourceId);

/**
 * Shuts out an account that its source does not know any longer: sessions, tokens and keys open nothing until an administrator makes it active
 * again. The last administrator stays, and so does who has left the source meanwhile.
 * @returns whether it was shut out
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

/** Remembered verifications and sessions of the accounts that sign in by a source stop holding. */
export const forgetCredentialsOfSource = (tx: Tx, sourceId: number): Promise<void> => forgetCredentialsBySource(tx, sourceId);

/** The same for accounts that are linked to a source. */
export const forgetCredentialsOf = (tx: Tx, ids: readonly number[]): Promise<void> => forgetCredentialsByIds(tx, ids);

/** Whether somebody can sign in by a password, kept here or in a directory. */
export const hasPassword = (db: Reader, accountId: number): Promise<boolean> => isPasswordKept(db, accountId);

/** An account that came by a source belongs to it no longer. Others stay as they are. */
export const leaveSource = (tx: Tx, accountId: number, sourceId: number): Promise<void> => clearSource(tx, accountId, sourceId);

/**
 * Takes an address away from whoever has only claimed it: a source has shown whose it is. Otherwise a claim could keep its owner out.
 * @param ownerId whose it is; left out: somebody's who has no account yet
 */
export async function dropClaim(tx: Tx, address: string, ownerId?: number): Promise<void> {
  const claim = await findClaim(tx, address);
  if (claim === undefined || claim.accountId === ownerId) return;
  const { accountId, name, email } = claim;
  await deleteEmails(tx, accountId, [foldEmail(email)]);
  await recordEvent(tx, "email.removed", { accountId, name, emails: [email] }, { by: null });
}

/**
 * Brings an account up to what its source says now. Nothing is written where they agree. An address that is another's stays his, the last
 * administrator stays one, and who may not sign in here is not let in again: a source says who somebody is, not what the server forbids him.
 */
export async function refreshSourcedAccount(deps: { readonly db: Db }, id: number, facts: SourcedAccountInput): Promise<void> {
  const seen = await loadEditable(deps.db, id);
  if (seen === undefined || Object.keys(differences(seen, facts)).length === 0) return;
  await deps.db.tx(async (tx) => {
    const present = await loadEditable(tx, id);
    if (present === undefined) return;
    const { email, ...rest } = differences(present, facts);
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
  facts: SourcedAccountInput,
): SourcedAccountInput {
  const fullName = facts.fullName?.slice(0, maxFullNameLength);
  const differs = <T>(given: T | undefined, now: T): given is T => given !== undefined && given !== now;
  return {
    ...(fullName !== "" && differs(fullName, present.fullName) && { fullName }),
    ...(facts.email !== undefined && isValidEmail(facts.email) && foldEmail(facts.email) !== foldEmail(present.email) && { email: facts.email }),
    ...(differs(facts.isAdmin, present.isAdmin) && { isAdmin: facts.isAdmin }),
    ...(differs(facts.isRestricted, present.isRestricted) && { isRestricted: facts.isRestricted }),
  };
}
