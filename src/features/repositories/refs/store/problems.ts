import { sql } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { StoreProblem } from "../model.ts";

export interface CheckedStore {
  readonly id: number;
  /** 0 if never. */
  readonly checkedMs: number;
}

/** Stores last checked before a given time, after a given one in the list, longest ago first. */
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

/** Replaces the problems of the previous check. Three statements. */
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

/** By store, in the order of detection. Two statements. */
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
