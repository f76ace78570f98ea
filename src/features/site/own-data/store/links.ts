import type { Tx } from "../../../../db/db.ts";

/** Replaces the link of an account. */
export async function putLink(tx: Tx, link: { readonly accountId: number; readonly hash: string; readonly expiresMs: number }): Promise<void> {
  const { accountId, hash, expiresMs } = link;
  await tx.sql
    .insertInto("data_links")
    .values({ account_id: accountId, code_hash: hash, expires_ms: expiresMs })
    .onConflict((known) => known.column("account_id").doUpdateSet({ code_hash: hash, expires_ms: expiresMs }))
    .execute();
}

/** @returns whether the account had this link: of two concurrent uses one succeeds */
export async function takeLink(
  tx: Tx,
  { accountId, hash, nowMs }: { readonly accountId: number; readonly hash: string; readonly nowMs: number },
): Promise<boolean> {
  const { numDeletedRows } = await tx.sql
    .deleteFrom("data_links")
    .where("account_id", "=", accountId)
    .where("code_hash", "=", hash)
    .where("expires_ms", ">", nowMs)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function deleteExpiredLinks(tx: Tx, nowMs: number): Promise<void> {
  await tx.sql.deleteFrom("data_links").where("expires_ms", "<=", nowMs).execute();
}
