import { sql } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { TokenView } from "../model.ts";

/** Records a use of tokens. @param times `before`: only those whose recorded use is older */
export async function touchTokens(tx: Tx, ids: readonly number[], times: { readonly now: number; readonly before: number }): Promise<void> {
  await tx.sql
    .updateTable("access_tokens")
    .set({ last_used_ms: times.now })
    .where((eb) => anyOf(tx, eb.ref("id"), ids))
    .where("last_used_ms", "<=", times.before)
    .execute();
}

export interface NewToken {
  readonly accountId: number;
  readonly name: string;
  readonly hash: string;
  readonly lastEight: string;
  readonly scopes: readonly string[];
  readonly now: number;
  readonly expiresMs: number | null;
  /** Null: no limit. */
  readonly repositoryIds: readonly number[] | null;
}

/** Throws a unique violation for a name in use, and a foreign key violation for a missing repository. */
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
      expires_ms: token.expiresMs,
      is_limited: token.repositoryIds === null ? 0 : 1,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (token.repositoryIds !== null && token.repositoryIds.length > 0) {
    const rows = token.repositoryIds.map((repoId) => ({ token_id: id, repo_id: repoId }));
    await tx.sql.insertInto("access_token_repositories").values(rows).execute();
  }
  return id;
}

/** Stores the server's own hash of a token that another program had hashed. */
export async function rehashToken(tx: Tx, id: number, hash: string): Promise<void> {
  await tx.sql.updateTable("access_tokens").set({ token_hash: hash, token_salt: null }).where("id", "=", id).where("token_salt", "is not", null).execute();
}

/** The ids of the repositories to which a token is limited, as `1,2`; null without a limit. For queries that select from `access_tokens`. */
export const limitIds = sql<string | null>`case when access_tokens.is_limited = 1 then coalesce((
  select string_agg(cast(tr.repo_id as text), ',') from access_token_repositories tr where tr.token_id = access_tokens.id), '') end`;

export const parseLimitIds = (text: string | null): readonly number[] | null => (text === null ? null : text === "" ? [] : text.split(",").map(Number));

export interface TokenRow extends Omit<TokenView, "repositories"> {
  readonly repositoryIds: readonly number[] | null;
}

export async function listTokens(db: Reader, accountId: number, page: Page): Promise<Paged<TokenRow>> {
  const query = db.sql.selectFrom("access_tokens").where("account_id", "=", accountId);
  const { total } = await query.select((select) => select.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query
    .select(["id", "name", "last_eight", "scopes", "created_ms", "last_used_ms", "expires_ms", limitIds.as("limit_ids")])
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
      expiresMs: row.expires_ms,
      repositoryIds: parseLimitIds(row.limit_ids),
    })),
  };
}

/** @returns the deleted token */
export async function deleteToken(
  tx: Tx,
  accountId: number,
  by: { readonly id: number } | { readonly name: string },
): Promise<{ readonly id: number; readonly name: string } | undefined> {
  let query = tx.sql.deleteFrom("access_tokens").where("account_id", "=", accountId);
  query = "id" in by ? query.where("id", "=", by.id) : query.where("name", "=", by.name);
  return query.returning(["id", "name"]).executeTakeFirst();
}
