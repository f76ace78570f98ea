import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { IdentityView } from "../model.ts";

const selectIdentities = (db: Reader) =>
  db.sql
    .selectFrom("external_identities")
    .innerJoin("authentication_sources", "authentication_sources.id", "external_identities.source_id")
    .select([
      "external_identities.id",
      "external_identities.account_id as accountId",
      "external_identities.source_id as sourceId",
      "authentication_sources.name as sourceName",
      "external_identities.subject",
      "external_identities.label",
      "external_identities.created_ms as createdMs",
      "external_identities.last_used_ms as lastUsedMs",
    ]);

/** An account's identities at providers, oldest first. Two statements. */
export async function pageIdentities(db: Reader, accountId: number, page: Page): Promise<Paged<IdentityView>> {
  const { total } = await db.sql
    .selectFrom("external_identities")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  const items = await selectIdentities(db)
    .where("external_identities.account_id", "=", accountId)
    .orderBy("external_identities.id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { total: Number(total), items };
}

export const findIdentity = (db: Reader, sourceId: number, subject: string): Promise<IdentityView | undefined> =>
  selectIdentities(db).where("external_identities.source_id", "=", sourceId).where("external_identities.subject", "=", subject).executeTakeFirst();

export const findIdentityOf = (db: Reader, accountId: number, id: number): Promise<IdentityView | undefined> =>
  selectIdentities(db).where("external_identities.account_id", "=", accountId).where("external_identities.id", "=", id).executeTakeFirst();

/** Throws a unique violation if the identity is already linked, or the account to another identity of that source. */
export async function insertIdentity(tx: Tx, identity: Pick<IdentityView, "accountId" | "sourceId" | "subject" | "label">): Promise<void> {
  await tx.sql
    .insertInto("external_identities")
    .values({
      account_id: identity.accountId,
      source_id: identity.sourceId,
      subject: identity.subject,
      label: identity.label,
      created_ms: tx.nowMs,
      last_used_ms: tx.nowMs,
    })
    .execute();
}

/** By subject. If several sources have the same provider, the first one wins. */
export async function findAccountsOf(db: Reader, sourceIds: readonly number[], subjects: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db.sql
    .selectFrom("external_identities")
    .select(["subject", "account_id"])
    .where((eb) => anyOf(db, eb.ref("source_id"), sourceIds))
    .where((eb) => anyOf(db, eb.ref("subject"), subjects))
    .orderBy("source_id", "desc")
    .execute();
  return new Map(rows.map(({ subject, account_id }) => [subject, account_id]));
}

export async function touchIdentity(tx: Tx, id: number, label: string): Promise<void> {
  await tx.sql.updateTable("external_identities").set({ label, last_used_ms: tx.nowMs }).where("id", "=", id).execute();
}

export async function loadLinkedAccounts(db: Reader, sourceId: number): Promise<readonly number[]> {
  const rows = await db.sql.selectFrom("external_identities").select("account_id").where("source_id", "=", sourceId).execute();
  return rows.map(({ account_id }) => account_id);
}

export async function deleteIdentity(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("external_identities").where("id", "=", id).execute();
}
