import type { Tx } from "../db/db.ts";

export interface KeptAnswer {
  readonly requestHash: string;
  /** 0 until there is a response. */
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** Claims the key for this request. @returns the existing row, or undefined when the key is now claimed by this request */
export async function claimKey(tx: Tx, claim: { accountId: number; key: string; requestHash: string; now: number }): Promise<KeptAnswer | undefined> {
  const inserted = await tx.sql
    .insertInto("idempotency_keys")
    .values({ account_id: claim.accountId, key: claim.key, request_hash: claim.requestHash, status: 0, headers: "{}", body: "", created_ms: claim.now })
    .onConflict((conflict) => conflict.columns(["account_id", "key"]).doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 1n) return undefined;
  return tx.sql
    .selectFrom("idempotency_keys")
    .select(["request_hash as requestHash", "status", "headers", "body"])
    .where("account_id", "=", claim.accountId)
    .where("key", "=", claim.key)
    .executeTakeFirst();
}

export async function saveAnswer(tx: Tx, answer: { accountId: number; key: string; status: number; headers: string; body: string }): Promise<void> {
  await tx.sql
    .updateTable("idempotency_keys")
    .set({ status: answer.status, headers: answer.headers, body: answer.body })
    .where("account_id", "=", answer.accountId)
    .where("key", "=", answer.key)
    .execute();
}

export async function forgetKey(tx: Tx, accountId: number, key: string): Promise<void> {
  await tx.sql.deleteFrom("idempotency_keys").where("account_id", "=", accountId).where("key", "=", key).execute();
}

export async function forgetExpired(tx: Tx, beforeMs: number): Promise<void> {
  await tx.sql.deleteFrom("idempotency_keys").where("created_ms", "<", beforeMs).execute();
}
