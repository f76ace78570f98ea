import { type RawBuilder, sql } from "kysely";
import type { ReadAhead, RepositoryPath } from "../../../../access/subjects.ts";
import { foldEmail, foldName } from "../../../../core/names.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { type ActorAccount, type ActorRow, actorColumns, toActorAccount } from "../actor-account.ts";
import { limitIds, parseLimitIds } from "./tokens.ts";
import { hasSecondFactor } from "./two-factor.ts";

/** The data about an account that authentication needs. */
export interface CredentialRow extends ActorAccount {
  readonly passwordHash: string;
  readonly credentialVersion: number;
  readonly sourceId: number;
  readonly loginName: string;
}

/** The same, with the restrictions on passwords. */
export interface PasswordCredentialRow extends CredentialRow {
  /** A second factor is required. */
  readonly hasSecondFactor: boolean;
}

const credentialColumns = [...actorColumns, "accounts.password_hash", "accounts.credential_version", "accounts.source_id", "accounts.login_name"] as const;

const toCredential = (
  row: ActorRow & { readonly password_hash: string; readonly credential_version: number; readonly source_id: number; readonly login_name: string },
): CredentialRow => ({
  ...toActorAccount(row),
  passwordHash: row.password_hash,
  credentialVersion: row.credential_version,
  sourceId: row.source_id,
  loginName: row.login_name,
});

const passwordColumns = [...credentialColumns, hasSecondFactor.as("has_second_factor")] as const;

const toPasswordCredential = (row: Parameters<typeof toCredential>[0] & { readonly has_second_factor: number }): PasswordCredentialRow => ({
  ...toCredential(row),
  hasSecondFactor: row.has_second_factor === 1,
});

/** A user by name, or by a verified address if the string contains `@`. */
export async function findCredential(db: Reader, login: string): Promise<PasswordCredentialRow | undefined> {
  if (!login.includes("@")) {
    const row = await db.sql
      .selectFrom("accounts")
      .select(passwordColumns)
      .where("name_folded", "=", foldName(login))
      .where("kind", "=", "user")
      .executeTakeFirst();
    return row && toPasswordCredential(row);
  }
  const row = await db.sql
    .selectFrom("account_emails")
    .innerJoin("accounts", "accounts.id", "account_emails.account_id")
    .select(passwordColumns)
    .where("account_emails.folded", "=", foldEmail(login))
    .where("account_emails.is_verified", "=", 1)
    .executeTakeFirst();
  return row && toPasswordCredential(row);
}

export async function findCredentialById(db: Reader, id: number): Promise<PasswordCredentialRow | undefined> {
  const row = await db.sql.selectFrom("accounts").select(passwordColumns).where("id", "=", id).where("kind", "=", "user").executeTakeFirst();
  return row && toPasswordCredential(row);
}

/** Whether an account has a local password, and the kind of its source; undefined for a missing account. */
export async function findPasswordState(db: Reader, id: number): Promise<{ readonly hasHash: boolean; readonly sourceKind: string | null } | undefined> {
  const row = await db.sql
    .selectFrom("accounts as a")
    .leftJoin("authentication_sources as s", "s.id", "a.source_id")
    .select(["a.password_hash", "s.kind"])
    .where("a.id", "=", id)
    .executeTakeFirst();
  return row && { hasHash: row.password_hash !== "", sourceKind: row.kind };
}

export interface TokenCredentialRow extends CredentialRow {
  readonly tokenId: number;
  readonly scopes: string;
  readonly lastUsedMs: number;
  readonly expiresMs: number | null;
  /** Null: no limit. */
  readonly repositoryIds: readonly number[] | null;
}

const tokenQuery = ({ sql }: Reader, tokenHash: RawBuilder<string>) =>
  sql
    .selectFrom("access_tokens")
    .innerJoin("accounts", "accounts.id", "access_tokens.account_id")
    .select([
      ...credentialColumns,
      "access_tokens.id as token_id",
      "access_tokens.scopes",
      "access_tokens.last_used_ms",
      "access_tokens.expires_ms",
      limitIds.as("limit_ids"),
    ])
    .where("access_tokens.token_hash", "=", tokenHash);

const selectByToken = compiled((db, given: Slots<{ tokenHash: string }>) => tokenQuery(db, given.tokenHash));

type TokenRow = Awaited<ReturnType<typeof selectByToken>>[number];

const toTokenCredential = (row: TokenRow): TokenCredentialRow => ({
  ...toCredential(row),
  tokenId: row.token_id,
  scopes: row.scopes,
  lastUsedMs: row.last_used_ms,
  expiresMs: row.expires_ms,
  repositoryIds: parseLimitIds(row.limit_ids),
});

export async function findTokenCredential(db: Reader, tokenHash: string): Promise<TokenCredentialRow | undefined> {
  const [row] = await selectByToken(db, { tokenHash });
  return row && toTokenCredential(row);
}

export interface FoundToken {
  readonly credential: TokenCredentialRow;
  readonly readAhead?: ReadAhead;
}

/** A scalar about the repository of a path, as the account with an id sees it. */
export type RepositoryText = (db: Reader, actorId: RawBuilder<number>, path: Slots<RepositoryPath>) => RawBuilder<string | null>;

/** Reads a token and a repository in one statement: requests with a token would otherwise wait for the database once more. */
export function createTokenLookup(textOf: RepositoryText) {
  const select = compiled((db, given: Slots<RepositoryPath & { tokenHash: string }>) =>
    tokenQuery(db, given.tokenHash).select(textOf(db, sql.ref<number>("accounts.id"), given).as("text")),
  );
  return async (db: Reader, tokenHash: string, path: RepositoryPath | undefined): Promise<FoundToken | undefined> => {
    if (path === undefined) {
      const credential = await findTokenCredential(db, tokenHash);
      return credential && { credential };
    }
    const [row] = await select(db, { tokenHash, owner: foldName(path.owner), name: foldName(path.name) });
    return row && { credential: toTokenCredential(row), readAhead: { text: row.text } };
  };
}

/** A token that another program has hashed. */
export interface SaltedToken {
  readonly id: number;
  readonly hash: string;
  readonly salt: string;
}

const selectSalted = compiled(({ sql }, given: Slots<{ lastEight: string }>) =>
  sql
    .selectFrom("access_tokens")
    .select(["id", "token_hash as hash", "token_salt as salt"])
    .where("last_eight", "=", given.lastEight)
    .where("token_salt", "is not", null)
    .orderBy("id"),
);

export async function listSaltedTokens(db: Reader, lastEight: string): Promise<readonly SaltedToken[]> {
  const rows = await selectSalted(db, { lastEight });
  return rows.map(({ salt, ...row }) => ({ ...row, salt: salt ?? "" }));
}

/** Replaces the hash of the same password, so that verifications of it and sessions stay valid. */
export async function replaceHash(tx: Tx, accountId: number, { former, own }: { readonly former: string; readonly own: string }): Promise<void> {
  await tx.sql.updateTable("accounts").set({ password_hash: own }).where("id", "=", accountId).where("password_hash", "=", former).execute();
}
