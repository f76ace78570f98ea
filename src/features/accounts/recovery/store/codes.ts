import { foldEmail } from "../../../../core/names.ts";
import type { Reader, Tx } from "../../../../db/db.ts";

export type CodePurpose = "password" | "email";

/** A code with the current state of its account. */
export interface CodeRow {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  /** The address of the email, as its user writes it. */
  readonly email: string;
  readonly expiresMs: number;
  /** The address is still the user's, the user may sign in and, for a password code, no credential has changed since. */
  readonly isGood: boolean;
}

export async function findCode(db: Reader, purpose: CodePurpose, codeHash: string): Promise<CodeRow | undefined> {
  const row = await db.sql
    .selectFrom("email_codes as c")
    .innerJoin("accounts as a", "a.id", "c.account_id")
    .leftJoin("account_emails as e", (join) => join.onRef("e.account_id", "=", "c.account_id").onRef("e.folded", "=", "c.email"))
    .select([
      "c.id",
      "c.account_id",
      "c.credential_version as then_version",
      "c.expires_ms",
      "a.name",
      "a.credential_version",
      "a.is_active",
      "a.prohibit_login",
    ])
    .select(["e.email", "e.is_verified"])
    .where("c.purpose", "=", purpose)
    .where("c.code_hash", "=", codeHash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const isUnchanged = purpose === "email" || (row.then_version === row.credential_version && row.is_verified === 1);
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    email: row.email ?? "",
    expiresMs: row.expires_ms,
    isGood: row.email !== null && row.is_active === 1 && row.prohibit_login === 0 && isUnchanged,
  };
}

/** The creation time of the newest code of an address. */
export async function findNewest(db: Reader, accountId: number, purpose: CodePurpose, email: string): Promise<number | undefined> {
  const row = await db.sql
    .selectFrom("email_codes")
    .select("created_ms")
    .where("account_id", "=", accountId)
    .where("purpose", "=", purpose)
    .where("email", "=", foldEmail(email))
    .executeTakeFirst();
  return row?.created_ms;
}

/** Replaces an address's code. */
export async function putCode(
  tx: Tx,
  code: {
    readonly hash: string;
    readonly purpose: CodePurpose;
    readonly accountId: number;
    readonly email: string;
    readonly now: number;
    readonly expiresMs: number;
  },
): Promise<void> {
  const email = foldEmail(code.email);
  await tx.sql.deleteFrom("email_codes").where("account_id", "=", code.accountId).where("purpose", "=", code.purpose).where("email", "=", email).execute();
  const { credential_version } = await tx.sql.selectFrom("accounts").select("credential_version").where("id", "=", code.accountId).executeTakeFirstOrThrow();
  await tx.sql
    .insertInto("email_codes")
    .values({
      code_hash: code.hash,
      purpose: code.purpose,
      account_id: code.accountId,
      email,
      credential_version,
      created_ms: code.now,
      expires_ms: code.expiresMs,
    })
    .execute();
}

/** @returns whether it still existed: of two concurrent uses one succeeds */
export async function takeCode(tx: Tx, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom("email_codes").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function deleteExpired(tx: Tx, now: number): Promise<void> {
  await tx.sql.deleteFrom("email_codes").where("expires_ms", "<=", now).execute();
}

/** The owner of a verified address, the address as written, and whether the password is local. */
export async function findRecoverable(
  db: Reader,
  email: string,
): Promise<{ readonly accountId: number; readonly name: string; readonly email: string; readonly language: string } | undefined> {
  return db.sql
    .selectFrom("account_emails as e")
    .innerJoin("accounts as a", "a.id", "e.account_id")
    .leftJoin("authentication_sources as s", "s.id", "a.source_id")
    .select(["a.id as accountId", "a.name", "a.language", "e.email"])
    .where("e.folded", "=", foldEmail(email))
    .where("e.is_verified", "=", 1)
    .where("a.is_active", "=", 1)
    .where("a.prohibit_login", "=", 0)
    .where((eb) => eb.or([eb("s.kind", "is", null), eb("s.kind", "<>", "ldap")]))
    .executeTakeFirst();
}

/** A user's unverified addresses, with the user's language. */
export async function listUnverified(
  db: Reader,
  accountId: number,
  folded: readonly string[],
): Promise<readonly { readonly email: string; readonly language: string }[]> {
  if (folded.length === 0) return [];
  return db.sql
    .selectFrom("account_emails as e")
    .innerJoin("accounts as a", "a.id", "e.account_id")
    .select(["e.email", "a.language"])
    .where("e.account_id", "=", accountId)
    .where("e.is_verified", "=", 0)
    .where("e.folded", "in", [...folded])
    .execute();
}
