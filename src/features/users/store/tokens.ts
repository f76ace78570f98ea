import type { Page, Paged } from "../../../core/paging.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { TokenView } from "../view.ts";

export async function touchToken(tx: Tx, id: number, now: number): Promise<void> {
  await tx.sql.updateTable("access_tokens").set({ last_used_ms: now }).where("id", "=", id).execute();
}

export interface NewToken {
  readonly accountId: number;
  readonly name: string;
  readonly hash: string;
  readonly lastEight: string;
  readonly scopes: readonly string[];
  readonly now: number;
}

/** Throws a unique violation for a name in use. */
export async function insertToken(tx: Tx, token: NewToken): Promise<number> {
  const { id } = await tx.sql
    .insertInto("access_tokens")
    .values({
      account_id: token.accountId,
      name: token.name,
      token_hash: token.hash,
      last_eight: token.lastEight,
      scopes: token.scopes.join(","),
      created_ms: token.now,
      last_used_ms: 0,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function listTokens(db: Reader, accountId: number, page: Page): Promise<Paged<TokenView>> {
  const query = db.sql.selectFrom("access_tokens").where("account_id", "=", accountId);
  const { total } = await query.select((select) => select.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query
    .select(["id", "name", "last_eight", "scopes", "created_ms", "last_used_ms"])
    .orderBy("id", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return {
    total: Number(total),
    items: rows.map((row) => ({
      id: row.id,
      name: row.name,
      lastEight: row.last_eight,
      scopes: row.scopes.split(","),
      createdMs: row.created_ms,
      lastUsedMs: row.last_used_ms,
    })),
  };
}

/** @returns how many were deleted: 0 or 1 */
export async function deleteToken(tx: Tx, accountId: number, by: { readonly id: number } | { readonly name: string }): Promise<number> {
  let query = tx.sql.deleteFrom("access_tokens").where("account_id", "=", accountId);
  query = "id" in by ? query.where("id", "=", by.id) : query.where("name", "=", by.name);
  const { numDeletedRows } = await query.executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
