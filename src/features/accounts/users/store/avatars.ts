import type { Tx } from "../../../../db/db.ts";

/** Sets the avatar of an account; empty: the generated one. @returns the previous name; undefined if the account is gone */
export async function replaceAvatar(tx: Tx, id: number, avatar: string): Promise<string | undefined> {
  const former = await tx.sql.selectFrom("accounts").select("avatar").where("id", "=", id).executeTakeFirst();
  if (former === undefined) return undefined;
  if (former.avatar !== avatar) await tx.sql.updateTable("accounts").set({ avatar, updated_ms: tx.nowMs }).where("id", "=", id).execute();
  return former.avatar;
}
