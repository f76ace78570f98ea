import type { Page, Paged } from "../../../../core/paging.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { type ActorAccount, actorColumns, toActorAccount } from "../../users/actor-account.ts";
import type { ChallengeMethod } from "../challenge.ts";
import type { GrantView } from "../model.ts";

export interface GrantRow {
  readonly id: number;
  readonly scopes: readonly string[];
}

const split = (scopes: string): readonly string[] => (scopes === "" ? [] : scopes.split(" "));

export async function findGrant(db: Reader, accountId: number, applicationId: number): Promise<GrantRow | undefined> {
  const row = await db.sql
    .selectFrom("oauth2_grants")
    .select(["id", "scopes"])
    .where("account_id", "=", accountId)
    .where("application_id", "=", applicationId)
    .executeTakeFirst();
  return row && { id: row.id, scopes: split(row.scopes) };
}

/** Creates a grant or replaces its scopes. @returns its id */
export async function saveGrant(
  tx: Tx,
  grant: { readonly accountId: number; readonly applicationId: number; readonly scopes: readonly string[]; readonly now: number },
): Promise<number> {
  const scopes = grant.scopes.join(" ");
  const { id } = await tx.sql
    .insertInto("oauth2_grants")
    .values({ account_id: grant.accountId, application_id: grant.applicationId, scopes, created_ms: grant.now, updated_ms: grant.now })
    .onConflict((conflict) => conflict.columns(["account_id", "application_id"]).doUpdateSet({ scopes, updated_ms: grant.now }))
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** An account's grants, newest first. Two statements. */
export async function pageGrants(db: Reader, accountId: number, page: Page): Promise<Paged<GrantView>> {
  const { total } = await db.sql
    .selectFrom("oauth2_grants")
    .where("account_id", "=", accountId)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await selectViews(db, accountId).orderBy("g.id", "desc").limit(page.limit).offset(page.offset).execute();
  return { total: Number(total), items: rows.map(toView) };
}

const selectViews = (db: Reader, accountId: number) =>
  db.sql
    .selectFrom("oauth2_grants as g")
    .innerJoin("oauth2_applications as o", "o.id", "g.application_id")
    .select(["g.id", "g.scopes", "g.created_ms", "g.updated_ms", "o.id as application_id", "o.name", "o.client_id"])
    .where("g.account_id", "=", accountId);

interface ViewRow {
  readonly id: number;
  readonly scopes: string;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly application_id: number;
  readonly name: string;
  readonly client_id: string;
}

const toView = (row: ViewRow): GrantView => ({
  id: row.id,
  application: { id: row.application_id, name: row.name, clientId: row.client_id },
  scopes: split(row.scopes),
  createdMs: row.created_ms,
  updatedMs: row.updated_ms,
});

export async function findGrantView(db: Reader, accountId: number, id: number): Promise<GrantView | undefined> {
  const row = await selectViews(db, accountId).where("g.id", "=", id).executeTakeFirst();
  return row && toView(row);
}

/** Also deletes the grant's tokens, by foreign keys. */
export async function deleteGrant(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("oauth2_grants").where("id", "=", id).execute();
}

export interface NewFamily {
  readonly grantId: number;
  readonly codeHash: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly challengeMethod: ChallengeMethod;
  readonly nonce: string;
  readonly scopes: readonly string[];
  readonly signedInMs: number;
  readonly now: number;
  readonly expiresMs: number;
}

/** Inserts a family with a code that is not exchanged yet. */
export async function insertFamily(tx: Tx, family: NewFamily): Promise<void> {
  await tx.sql
    .insertInto("oauth2_families")
    .values({
      grant_id: family.grantId,
      code_hash: family.codeHash,
      redirect_uri: family.redirectUri,
      challenge: family.challenge,
      challenge_method: family.challengeMethod,
      nonce: family.nonce,
      scopes: family.scopes.join(" "),
      signed_in_ms: family.signedInMs,
      generation: 0,
      created_ms: family.now,
      expires_ms: family.expiresMs,
    })
    .execute();
}

export interface FamilyRow {
  readonly id: number;
  readonly applicationId: number;
  readonly accountId: number;
  readonly accountName: string;
  /** The account is active and not prohibited. */
  readonly mayAccountSignIn: boolean;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly challengeMethod: ChallengeMethod;
  readonly nonce: string;
  readonly scopes: readonly string[];
  readonly signedInMs: number;
  readonly generation: number;
  readonly expiresMs: number;
}

/** A family, by its code or its id, with its account and application. */
export async function findFamily(db: Reader, by: { readonly codeHash: string } | { readonly id: number }): Promise<FamilyRow | undefined> {
  const query = db.sql
    .selectFrom("oauth2_families as f")
    .innerJoin("oauth2_grants as g", "g.id", "f.grant_id")
    .innerJoin("accounts as a", "a.id", "g.account_id")
    .select([
      "f.id",
      "g.application_id",
      "g.account_id",
      "a.name",
      "a.is_active",
      "a.prohibit_login",
      "f.redirect_uri",
      "f.challenge",
      "f.challenge_method",
      "f.nonce",
      "f.scopes",
      "f.signed_in_ms",
      "f.generation",
      "f.expires_ms",
    ]);
  const row = await ("id" in by ? query.where("f.id", "=", by.id) : query.where("f.code_hash", "=", by.codeHash)).executeTakeFirst();
  return (
    row && {
      id: row.id,
      applicationId: row.application_id,
      accountId: row.account_id,
      accountName: row.name,
      mayAccountSignIn: row.is_active === 1 && row.prohibit_login === 0,
      redirectUri: row.redirect_uri,
      challenge: row.challenge,
      challengeMethod: row.challenge_method,
      nonce: row.nonce,
      scopes: split(row.scopes),
      signedInMs: row.signed_in_ms,
      generation: row.generation,
      expiresMs: row.expires_ms,
    }
  );
}

/** Advances to the next generation of tokens. @returns false if a concurrent request has done so */
export async function advanceFamily(tx: Tx, id: number, from: number, expiresMs: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("oauth2_families")
    .set({ generation: from + 1, expires_ms: expiresMs })
    .where("id", "=", id)
    .where("generation", "=", from)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function deleteFamily(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("oauth2_families").where("id", "=", id).execute();
}

/** Deletes codes that were never exchanged and families whose last refresh token has expired. @returns their number */
export async function deleteExpired(tx: Tx, now: number): Promise<number> {
  const { numDeletedRows } = await tx.sql.deleteFrom("oauth2_families").where("expires_ms", "<=", now).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** The data of an access token. */
export interface BearerRow {
  readonly scopes: readonly string[];
  readonly clientId: string;
  readonly applicationId: number;
  readonly account: ActorAccount;
}

const selectBearer = compiled(({ sql }, given: Slots<{ id: number }>) =>
  sql
    .selectFrom("oauth2_families as f")
    .innerJoin("oauth2_grants as g", "g.id", "f.grant_id")
    .innerJoin("oauth2_applications as o", "o.id", "g.application_id")
    .innerJoin("accounts", "accounts.id", "g.account_id")
    .select(["f.scopes", "o.client_id", "o.id as application_id", ...actorColumns])
    .where("f.id", "=", given.id)
    .where("f.generation", ">", 0),
);

/** One statement; undefined when the family has ended. */
export async function findBearer(db: Reader, familyId: number): Promise<BearerRow | undefined> {
  const [row] = await selectBearer(db, { id: familyId });
  return row && { scopes: split(row.scopes), clientId: row.client_id, applicationId: row.application_id, account: toActorAccount(row) };
}
