import { sql } from "kysely";
import type { Reader, Tx } from "../../../db/db.ts";
import type { ReplyInput, ReplyTitle, SavedReply } from "./model.ts";

/** By title. One statement. */
export const listTitles = (db: Reader, accountId: number): Promise<ReplyTitle[]> =>
  db.sql.selectFrom("saved_replies").select(["id", "title"]).where("account_id", "=", accountId).orderBy(sql`lower(title)`).orderBy("id").execute();

export const findReply = (db: Reader, accountId: number, id: number): Promise<SavedReply | undefined> =>
  db.sql.selectFrom("saved_replies").select(["id", "title", "content"]).where("account_id", "=", accountId).where("id", "=", id).executeTakeFirst();

export async function insertReply(tx: Tx, accountId: number, { title, content }: ReplyInput): Promise<void> {
  await tx.sql.insertInto("saved_replies").values({ account_id: accountId, title, content, updated_ms: tx.nowMs }).execute();
}

/** @returns false if the account has no such reply */
export async function updateReply(tx: Tx, accountId: number, { id, title, content }: SavedReply): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("saved_replies")
    .set({ title, content, updated_ms: tx.nowMs })
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteReply(tx: Tx, accountId: number, id: number): Promise<void> {
  await tx.sql.deleteFrom("saved_replies").where("account_id", "=", accountId).where("id", "=", id).execute();
}
