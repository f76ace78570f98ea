import { sql } from "kysely";
import type { Reader } from "../../../../db/db.ts";

/** An account's repository in the fork network of another one. The closest one first: a direct fork precedes more distant ones. */
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

/** Whether two repositories are in the same fork network. */
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
