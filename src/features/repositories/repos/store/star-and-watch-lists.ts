import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Actor } from "../../../../access/actor.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { visibleAccounts } from "../../../accounts/users/visible.ts";
import { visibleTo } from "./visible.ts";

export type MarkTable = "stars" | "watches" | "ignored_repositories";

/** Since when an account stars, watches or ignores a repository; undefined if it does not. */
export async function findMark(db: Reader, table: MarkTable, repoId: number, accountId: number): Promise<number | undefined> {
  const row = await db.sql.selectFrom(table).select("created_ms").where("repo_id", "=", repoId).where("account_id", "=", accountId).executeTakeFirst();
  return row?.created_ms;
}

/** Inserts a row, and counts a star or watch; an existing one is unchanged. */
export async function insertMark(tx: Tx, table: MarkTable, repoId: number, accountId: number): Promise<boolean> {
  const rows = await tx.sql
    .insertInto(table)
    .values({ repo_id: repoId, account_id: accountId, created_ms: tx.nowMs })
    .onConflict((conflict) => conflict.columns(["repo_id", "account_id"]).doNothing())
    .returning("repo_id")
    .execute();
  if (rows.length > 0) await count(tx, table, repoId, accountId, 1);
  return rows.length > 0;
}

/** @returns whether it existed */
export async function deleteMark(tx: Tx, table: MarkTable, repoId: number, accountId: number): Promise<boolean> {
  const rows = await tx.sql.deleteFrom(table).where("repo_id", "=", repoId).where("account_id", "=", accountId).returning("repo_id").execute();
  if (rows.length > 0) await count(tx, table, repoId, accountId, -1);
  return rows.length > 0;
}

async function count(tx: Tx, table: MarkTable, repoId: number, accountId: number, change: 1 | -1): Promise<void> {
  if (table === "ignored_repositories") return;
  const counter = table === "stars" ? "stars_count" : "watchers_count";
  await tx.sql
    .updateTable("repositories")
    .set((eb) => ({ [counter]: eb(counter, "+", change) }))
    .where("id", "=", repoId)
    .execute();
  if (table === "watches") return;
  await tx.sql
    .updateTable("accounts")
    .set((eb) => ({ stars_count: eb("stars_count", "+", change) }))
    .where("id", "=", accountId)
    .execute();
}

/** Ids of a page of the repositories that an account stars, watches or ignores and the actor can read, latest first. At most two statements. */
export function pageMarkedIds(db: Reader, table: MarkTable, accountId: number, actor: Actor, page: Page): Promise<Paged<number>> {
  const from = sql`${sql.table(table)} m join repositories r on r.id = m.repo_id join accounts o on o.id = r.owner_id
    where m.account_id = ${accountId} and ${visibleTo(actor)}`;
  return pageOf(db, sql`r.id`, from, sql`m.created_ms desc, r.id desc`, page);
}

/** Ids of a page of the accounts that star or watch a repository and are visible to the actor, oldest first. At most two statements. */
export function pageMarkingAccountIds(db: Reader, table: MarkTable, repoId: number, actor: Actor, page: Page): Promise<Paged<number>> {
  const { visibilities, viewerId } = visibleAccounts(actor);
  const isShown = sql<SqlBool>`(a.visibility in (${sql.join([...visibilities])}) or a.id = ${viewerId})`;
  const from = sql`${sql.table(table)} m join accounts a on a.id = m.account_id where m.repo_id = ${repoId} and ${isShown}`;
  return pageOf(db, sql`a.id`, from, sql`m.created_ms, a.id`, page);
}

async function pageOf(db: Reader, id: RawBuilder<unknown>, from: RawBuilder<unknown>, order: RawBuilder<unknown>, page: Page): Promise<Paged<number>> {
  const { rows } = await sql<{ id: number }>`select ${id} as id from ${from} order by ${order} limit ${page.limit} offset ${page.offset}`.execute(db.sql);
  const items = rows.map((row) => row.id);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const counted = await sql<{ total: number }>`select count(*) as total from ${from}`.execute(db.sql);
  return { items, total: Number(counted.rows[0]?.total ?? 0) };
}
