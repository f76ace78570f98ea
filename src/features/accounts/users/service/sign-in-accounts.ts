import { notFound } from "../../../../core/errors.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { maySignIn } from "../actor-account.ts";
import { updateAccount } from "../store/accounts.ts";
import { findCredential, findCredentialById, type PasswordCredentialRow } from "../store/credentials.ts";

/** The data about an account that signing in without a local password needs. */
export interface SignInAccount {
  readonly id: number;
  readonly name: string;
  /** False while the account is prohibited from signing in or inactive. */
  readonly maySignIn: boolean;
  /** A second factor must follow. */
  readonly hasSecondFactor: boolean;
}

const toSignInAccount = (row: PasswordCredentialRow): SignInAccount => ({
  id: row.id,
  name: row.name,
  maySignIn: maySignIn(row),
  hasSecondFactor: row.hasSecondFactor,
});

/** @throws ForgeError `not_found` if it has been deleted */
export async function findSignInAccount(deps: { readonly db: Reader }, id: number): Promise<SignInAccount> {
  const row = await findCredentialById(deps.db, id);
  if (row === undefined) throw notFound();
  return toSignInAccount(row);
}

/** The same by name; undefined for an unknown name. */
export async function findSignInAccountByName(deps: { readonly db: Reader }, name: string): Promise<SignInAccount | undefined> {
  const row = name.includes("@") ? undefined : await findCredential(deps.db, name);
  return row && toSignInAccount(row);
}

/** The owner of a verified address. */
export async function findVerifiedOwner(deps: { readonly db: Reader }, email: string): Promise<SignInAccount | undefined> {
  const row = email.includes("@") ? await findCredential(deps.db, email) : undefined;
  return row && toSignInAccount(row);
}

/** Records the time of a sign-in, visible to the user and to administrators. */
export const noteSignIn = (tx: Tx, id: number, now: number): Promise<void> => updateAccount(tx, id, { last_login_ms: now });
