import { sql } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { StoreProblem } from "../model.ts";

export interface CheckedStore {
  readonly id: number;
  /** 0: never. */
  readonly checkedMs: number;
}

/** Stores that were last checked before a moment, behind one of them, the longest ago first. */
export async function listUncheckedStores(db: Reader, beforeMs: number, after: CheckedStore, limit: number): Promise<readonly CheckedStore[]> {
  const rows = await db.sql
    .selectFrom("git_stores")
    .select(["id", "checked_ms"])
    .where("checked_ms", "<", beforeMs)
    .where(sql<boolean>`(checked_ms, id) > (${after.checkedMs}, ${after.id})`)
    .orderBy("checked_ms")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id, checked_ms }) => ({ id, checkedMs: checked_ms }));
}

/** Notes what a check has found, in place of what the one before it found. Three statements. */
export async function replaceProblems(tx: Tx, storeId: number, problems: readonly string[]): Promise<{ readonly hadProblems: boolean }> {
  const { numDeletedRows } = await tx.sql.deleteFrom("store_problems").where("store_id", "=", storeId).executeTakeFirstOrThrow();
  const result = { hadProblems: numDeletedRows > 0n };
  const isThere = await tx.sql.updateTable("git_stores").set({ checked_ms: tx.nowMs }).where("id", "=", storeId).returning("id").executeTakeFirst();
  if (problems.length === 0 || isThere === undefined) return result;
  await tx.sql
    .insertInto("store_problems")
    .values(problems.map((problem) => ({ store_id: storeId, problem, found_ms: tx.nowMs })))
    .execute();
  return result;
}

/** By store, in the order in which they were found. Two statements. */
export async function pageProblems(db: Reader, page: Page): Promise<Paged<StoreProblem>> {
  const rows = await db.sql
    .selectFrom("store_problems")
    .select(["store_id", "problem", "found_ms"])
    .orderBy("store_id")
    .orderBy("id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await db.sql
    .selectFrom("store_problems")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { items: rows.map((row) => ({ storeId: row.store_id, problem: row.problem, foundMs: row.found_ms })), total: Number(total) };
}
