import { notFound } from "../../../../core/errors.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { updateAccount } from "../store/accounts.ts";
import { findCredential, findCredentialById, type PasswordCredentialRow } from "../store/credentials.ts";

/** What a door needs to know of an account whose owner has shown by other means than a password that he is it. */
export interface SignInAccount {
  readonly id: number;
  readonly name: string;
  /** False while the account is prohibited from signing in, or inactive. */
  readonly maySignIn: boolean;
  /** A code must follow, whatever came before it. */
  readonly hasSecondFactor: boolean;
}

const toSignInAccount = (row: PasswordCredentialRow): SignInAccount => ({
  id: row.id,
  name: row.name,
  maySignIn: row.isActive && !row.prohibitLogin,
  hasSecondFactor: row.hasSecondFactor,
});

/** @throws ForgeError `not_found` when it is gone */
export async function findSignInAccount(deps: { readonly db: Reader }, id: number): Promise<SignInAccount> {
  const row = await findCredentialById(deps.db, id);
  if (row === undefined) throw notFound();
  return toSignInAccount(row);
}

/** The same by its name; undefined where nobody has it. */
export async function findSignInAccountByName(deps: { readonly db: Reader }, name: string): Promise<SignInAccount | undefined> {
  const row = name.includes("@") ? undefined : await findCredential(deps.db, name);
  return row && toSignInAccount(row);
}

/** Whose a verified address is. */
export async function findVerifiedOwner(deps: { readonly db: Reader }, email: string): Promise<SignInAccount | undefined> {
  const row = email.includes("@") ? await findCredential(deps.db, email) : undefined;
  return row && toSignInAccount(row);
}

/** Writes down that the account's owner has signed in, for himself and administrators to see. */
export const noteSignIn = (tx: Tx, id: number, now: number): Promise<void> => updateAccount(tx, id, { last_login_ms: now });
