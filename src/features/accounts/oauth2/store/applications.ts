import type { Selectable } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { OAuth2ApplicationsTable } from "../../../../db/tables/sessions.ts";
import type { ApplicationInput, ApplicationView } from "../model.ts";

/** An application with the hash of its secret. */
export interface ApplicationRow extends ApplicationView {
  /** SHA-256 of the secret, as hex; empty for applications that never had one. */
  readonly secretHash: string;
}

const columns = [
  "o.id",
  "o.account_id",
  "o.name",
  "o.client_id",
  "o.secret_hash",
  "o.is_confidential",
  "o.skips_consent",
  "o.redirect_uris",
  "o.created_ms",
  "a.name as owner_name",
] as const;

type Row = Omit<Selectable<OAuth2ApplicationsTable>, "updated_ms"> & { readonly owner_name: string | null };

const toRow = (row: Row): ApplicationRow => ({
  id: row.id,
  owner: row.account_id === null ? undefined : { id: row.account_id, name: row.owner_name ?? "" },
  name: row.name,
  clientId: row.client_id,
  isConfidential: row.is_confidential === 1,
  skipsConsent: row.skips_consent === 1,
  redirectUris: JSON.parse(row.redirect_uris),
  createdMs: row.created_ms,
  secretHash: row.secret_hash,
});

const select = (db: Reader) => db.sql.selectFrom("oauth2_applications as o").leftJoin("accounts as a", "a.id", "o.account_id").select(columns);

/** One statement. */
export async function findByClientId(db: Reader, clientId: string): Promise<ApplicationRow | undefined> {
  const row = await select(db).where("o.client_id", "=", clientId).executeTakeFirst();
  return row && toRow(row);
}

export async function findOwned(db: Reader, accountId: number, id: number): Promise<ApplicationRow | undefined> {
  const row = await select(db).where("o.id", "=", id).where("o.account_id", "=", accountId).executeTakeFirst();
  return row && toRow(row);
}

/** An account's applications, newest first. Two statements. */
export async function pageOwned(db: Reader, accountId: number, page: Page): Promise<Paged<ApplicationView>> {
  const { total } = await db.sql
    .selectFrom("oauth2_applications")
    .where("account_id", "=", accountId)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await select(db).where("o.account_id", "=", accountId).orderBy("o.id", "desc").limit(page.limit).offset(page.offset).execute();
  return { total: Number(total), items: rows.map(toRow) };
}

const columnsOf = (input: ApplicationInput) => ({
  name: input.name,
  is_confidential: input.isConfidential ? 1 : 0,
  skips_consent: input.skipsConsent ? 1 : 0,
  redirect_uris: JSON.stringify(input.redirectUris),
});

export async function insertApplication(
  tx: Tx,
  accountId: number,
  application: ApplicationInput & { readonly clientId: string; readonly secretHash: string; readonly now: number },
): Promise<number> {
  const { id } = await tx.sql
    .insertInto("oauth2_applications")
    .values({
      ...columnsOf(application),
      secret_hash: application.secretHash,
      account_id: accountId,
      client_id: application.clientId,
      created_ms: application.now,
      updated_ms: application.now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** @param application `secretHash` undefined keeps the secret */
export async function updateApplication(
  tx: Tx,
  id: number,
  application: ApplicationInput & { readonly secretHash: string | undefined; readonly now: number },
): Promise<void> {
  await tx.sql
    .updateTable("oauth2_applications")
    .set({ ...columnsOf(application), ...(application.secretHash !== undefined && { secret_hash: application.secretHash }), updated_ms: application.now })
    .where("id", "=", id)
    .execute();
}

/** Also deletes its grants and their tokens, by foreign keys. */
export async function deleteApplication(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("oauth2_applications").where("id", "=", id).execute();
}

/** Replaces a hash, unless the secret has changed meanwhile. */
export async function replaceSecretHash(tx: Tx, id: number, { former, hash }: { readonly former: string; readonly hash: string }): Promise<void> {
  await tx.sql.updateTable("oauth2_applications").set({ secret_hash: hash }).where("id", "=", id).where("secret_hash", "=", former).execute();
}
