import { foldEmail } from "../../../../core/names.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";

/** Users of a source with a login name, ignoring case. Several only if administrators have assigned them. */
export async function findIdsByLogin(db: Reader, sourceId: number, loginName: string): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("accounts")
    .select("id")
    .where("source_id", "=", sourceId)
    .where((eb) => eb(eb.fn("lower", ["login_name"]), "=", loginName.toLowerCase()))
    .where("kind", "=", "user")
    .execute();
  return rows.map(({ id }) => id);
}

export interface SourcedLogin {
  readonly id: number;
  /** The account's login name at its source. */
  readonly login: string;
}

/** Active users of a source. */
export async function loadLogins(db: Reader, sourceId: number): Promise<readonly SourcedLogin[]> {
  const rows = await db.sql
    .selectFrom("accounts")
    .select(["id", "name", "login_name"])
    .where("source_id", "=", sourceId)
    .where("kind", "=", "user")
    .where("is_active", "=", 1)
    .orderBy("id")
    .execute();
  return rows.map(({ id, name, login_name }) => ({ id, login: login_name === "" ? name : login_name }));
}

/** The owner of an address, verified or not. */
export async function findEmailOwner(db: Reader, email: string): Promise<number | undefined> {
  const row = await db.sql.selectFrom("account_emails").select("account_id").where("folded", "=", foldEmail(email)).executeTakeFirst();
  return row?.account_id;
}

/** The account with an unverified claim to an address. */
export async function findClaim(db: Reader, email: string): Promise<{ readonly accountId: number; readonly name: string; readonly email: string } | undefined> {
  return db.sql
    .selectFrom("account_emails as e")
    .innerJoin("accounts as a", "a.id", "e.account_id")
    .select(["e.account_id as accountId", "a.name", "e.email"])
    .where("e.folded", "=", foldEmail(email))
    .where("e.is_verified", "=", 0)
    .where("e.is_primary", "=", 0)
    .executeTakeFirst();
}

/** Undefined for a missing source. */
export async function findSourceKind(db: Reader, id: number): Promise<"ldap" | "oidc" | undefined> {
  return (await db.sql.selectFrom("authentication_sources").select("kind").where("id", "=", id).executeTakeFirst())?.kind;
}

export async function forgetCredentialsBySource(tx: Tx, sourceId: number): Promise<void> {
  await tx.sql
    .updateTable("accounts")
    .set((set) => ({ credential_version: set("credential_version", "+", 1) }))
    .where("source_id", "=", sourceId)
    .execute();
}

export async function forgetCredentialsByIds(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.sql
    .updateTable("accounts")
    .set((set) => ({ credential_version: set("credential_version", "+", 1) }))
    .where((eb) => anyOf(tx, eb.ref("id"), ids))
    .execute();
}

export async function isPasswordKept(db: Reader, accountId: number): Promise<boolean> {
  const row = await db.sql
    .selectFrom("accounts")
    .leftJoin("authentication_sources", "authentication_sources.id", "accounts.source_id")
    .select("accounts.id")
    .where("accounts.id", "=", accountId)
    .where((eb) => eb.or([eb("accounts.password_hash", "<>", ""), eb("authentication_sources.kind", "=", "ldap")]))
    .executeTakeFirst();
  return row !== undefined;
}

export async function clearSource(tx: Tx, accountId: number, sourceId: number): Promise<void> {
  await tx.sql.updateTable("accounts").set({ source_id: 0, login_name: "" }).where("id", "=", accountId).where("source_id", "=", sourceId).execute();
}
