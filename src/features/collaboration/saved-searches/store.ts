import { sql } from "kysely";
import { compiled, type Slots } from "../../../db/compiled.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { SavedSearch, SearchInput } from "./model.ts";

const ofAccount = compiled((db, given: Slots<{ accountId: number }>) =>
  db.sql.selectFrom("saved_searches").select(["id", "kind", "name", "query"]).where("account_id", "=", given.accountId).orderBy(sql`lower(name)`).orderBy("id"),
);

/** By name. One statement. */
export const listSaved = (db: Reader, accountId: number): Promise<readonly SavedSearch[]> => ofAccount(db, { accountId });

export const findSaved = (db: Reader, accountId: number, id: number): Promise<SavedSearch | undefined> =>
  db.sql.selectFrom("saved_searches").select(["id", "kind", "name", "query"]).where("account_id", "=", accountId).where("id", "=", id).executeTakeFirst();

export async function insertSaved(tx: Tx, accountId: number, { kind, name, query }: SearchInput): Promise<void> {
  await tx.sql.insertInto("saved_searches").values({ account_id: accountId, kind, name, query, updated_ms: tx.nowMs }).execute();
}

/** @returns false if the account has no such search */
export async function updateSaved(tx: Tx, accountId: number, { id, kind, name, query }: SavedSearch): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("saved_searches")
    .set({ kind, name, query, updated_ms: tx.nowMs })
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteSaved(tx: Tx, accountId: number, id: number): Promise<void> {
  await tx.sql.deleteFrom("saved_searches").where("account_id", "=", accountId).where("id", "=", id).execute();
}
