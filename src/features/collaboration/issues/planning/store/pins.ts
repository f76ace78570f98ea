import { sql } from "kysely";
import type { Reader, Tx } from "../../../../../db/db.ts";

/** Ids of pinned issues, in order. */
export async function listPinnedIds(db: Reader, repoId: number, isPull: boolean): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("issues")
    .select("id")
    .where("repo_id", "=", repoId)
    .where("is_pull", "=", isPull ? 1 : 0)
    // A literal, so that the partial index is used.
    .where(sql<boolean>`pin_order > 0`)
    .orderBy("pin_order")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

export async function countPinned(db: Reader, repoId: number): Promise<{ readonly issues: number; readonly pulls: number }> {
  const rows = await db.sql.selectFrom("issues").select("is_pull").where("repo_id", "=", repoId).where(sql<boolean>`pin_order > 0`).execute();
  const pulls = rows.filter((row) => row.is_pull === 1).length;
  return { issues: rows.length - pulls, pulls };
}

/** The position after the last pinned one. */
export async function nextPinOrder(db: Reader, repoId: number, isPull: boolean): Promise<number> {
  const { last } = await db.sql
    .selectFrom("issues")
    .select(sql<number | null>`max(pin_order)`.as("last"))
    .where("repo_id", "=", repoId)
    .where("is_pull", "=", isPull ? 1 : 0)
    .where(sql<boolean>`pin_order > 0`)
    .executeTakeFirstOrThrow();
  return Number(last ?? 0) + 1;
}

/** Moves a pinned issue to a position, and the pins between both positions by one. One statement. */
export async function shiftPins(
  tx: Tx,
  { id, repoId, isPull, pinOrder }: { readonly id: number; readonly repoId: number; readonly isPull: boolean; readonly pinOrder: number },
  position: number,
): Promise<void> {
  const step = position < pinOrder ? 1 : -1;
  await tx.sql
    .updateTable("issues")
    .set({ pin_order: sql<number>`case id when ${sql.lit(id)} then ${sql.lit(position)} else pin_order + ${sql.lit(step)} end` })
    .where("repo_id", "=", repoId)
    .where("is_pull", "=", isPull ? 1 : 0)
    .where(sql<boolean>`pin_order > 0`)
    .where("pin_order", ">=", Math.min(pinOrder, position))
    .where("pin_order", "<=", Math.max(pinOrder, position))
    .execute();
}
