import { sql } from "kysely";
import { anyOf } from "../../../../../db/any-of.ts";
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

/** Orders pinned issues like these ids. One statement. */
export async function reorderPins(tx: Tx, ids: readonly number[]): Promise<void> {
  const cases = sql.join(
    ids.map((id, at) => sql`when ${sql.lit(id)} then ${sql.lit(at + 1)}`),
    sql` `,
  );
  await tx.sql
    .updateTable("issues")
    .set({ pin_order: sql<number>`case id ${cases} else pin_order end` })
    .where((eb) => anyOf(tx, eb.ref("id"), ids))
    .execute();
}

/** Moves the following pins up after one is removed. */
export async function closePinGap(tx: Tx, repoId: number, isPull: boolean, after: number): Promise<void> {
  await tx.sql
    .updateTable("issues")
    .set({ pin_order: sql<number>`pin_order - 1` })
    .where("repo_id", "=", repoId)
    .where("is_pull", "=", isPull ? 1 : 0)
    .where("pin_order", ">", after)
    .execute();
}
