import { sql } from "kysely";
import type { Reader } from "../../../../db/db.ts";

/**
 * The repository of an account that belongs to the network of another one: what it forked, or was forked from. The nearest first: a fork of
 * the very repository before one that is further away.
 */
export async function findInNetwork(db: Reader, repoId: number, ownerId: number): Promise<number | undefined> {
  const row = await db.sql
    .selectFrom("repositories as r")
    .innerJoin("repositories as b", (join) => join.on("b.id", "=", repoId))
    .select("r.id")
    .where("r.owner_id", "=", ownerId)
    .where("r.deleted_ms", "is", null)
    .where(sql<boolean>`coalesce(r.network_id, r.id) = coalesce(b.network_id, b.id)`)
    .orderBy(sql`case when r.fork_of = b.id or b.fork_of = r.id then 0 else 1 end`)
    .orderBy("r.id")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Whether two repositories share their history by forking. */
export async function isSameNetwork(db: Reader, oneId: number, otherId: number): Promise<boolean> {
  const row = await db.sql
    .selectFrom("repositories as a")
    .innerJoin("repositories as b", (join) => join.on("b.id", "=", otherId))
    .select("a.id")
    .where("a.id", "=", oneId)
    .where(sql<boolean>`coalesce(a.network_id, a.id) = coalesce(b.network_id, b.id)`)
    .executeTakeFirst();
  return row !== undefined;
}
