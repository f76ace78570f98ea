import { sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";

/** The kinds of a milestone's issues that a caller can read. */
export type ReadableKinds = readonly (0 | 1)[];

const ofMilestone = (db: Reader, milestoneId: number, kinds: ReadableKinds, isClosed: boolean) =>
  db.sql
    .selectFrom("issues as i")
    .where("i.milestone_id", "=", milestoneId)
    .where("i.is_closed", "=", isClosed ? 1 : 0)
    .where((eb) => anyOf(db, eb.ref("i.is_pull"), kinds));

export interface MilestoneRange {
  readonly isClosed: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** Ids of issues and pull requests of a milestone: those with a position, then the newest. One statement. */
export async function listIdsOfMilestone(db: Reader, milestoneId: number, kinds: ReadableKinds, range: MilestoneRange): Promise<readonly number[]> {
  const rows = await ofMilestone(db, milestoneId, kinds, range.isClosed)
    .leftJoin("milestone_positions as p", (join) => join.onRef("p.issue_id", "=", "i.id").onRef("p.milestone_id", "=", "i.milestone_id"))
    .select("i.id")
    .orderBy(sql`case when p.position is null then 1 else 0 end`)
    .orderBy("p.position")
    .orderBy("i.id", "desc")
    .limit(range.limit)
    .offset(range.offset)
    .execute();
  return rows.map(({ id }) => id);
}

/** One statement. */
export async function countOfMilestone(db: Reader, milestoneId: number, kinds: ReadableKinds): Promise<{ readonly open: number; readonly closed: number }> {
  const rows = await db.sql
    .selectFrom("issues as i")
    .select((eb) => ["i.is_closed", eb.fn.countAll<number>().as("total")])
    .where("i.milestone_id", "=", milestoneId)
    .where((eb) => anyOf(db, eb.ref("i.is_pull"), kinds))
    .groupBy("i.is_closed")
    .execute();
  const of = (isClosed: 0 | 1): number => Number(rows.find((row) => row.is_closed === isClosed)?.total ?? 0);
  return { open: of(0), closed: of(1) };
}

/** Stores an order. One statement for any number of issues. */
export async function saveOrder(tx: Tx, milestoneId: number, ids: readonly number[]): Promise<void> {
  await tx.sql
    .insertInto("milestone_positions")
    .values(ids.map((issue_id, at) => ({ issue_id, milestone_id: milestoneId, position: at + 1 })))
    .onConflict((conflict) => conflict.column("issue_id").doUpdateSet({ milestone_id: milestoneId, position: (eb) => eb.ref("excluded.position") }))
    .execute();
}
