import { sql } from "kysely";
import { anyOf } from "../../../db/any-of.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import { deleteStars } from "./audience.ts";
import { deleteTopics } from "./topics.ts";

/** What a repository was when it was deleted. */
export interface DeletedRepository {
  readonly id: number;
  readonly ownerId: number;
  readonly ownerName: string;
  readonly name: string;
}

/**
 * Makes repositories invisible: from here on no look-up and no list finds them, and their names are free. A constant number of statements.
 * What is counted elsewhere of them (forks, stars, topics, the owner's repositories) is taken back at once; the rest goes with the sweep.
 */
export async function tombstoneRepositories(tx: Tx, ids: readonly number[]): Promise<readonly DeletedRepository[]> {
  const rows = await tx.sql
    .selectFrom("repositories as r")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .select(["r.id", "r.owner_id", "o.name as owner_name", "r.name"])
    .where((eb) => anyOf(tx, eb.ref("r.id"), ids))
    .where("r.deleted_ms", "is", null)
    .execute();
  const gone = rows.map((row) => row.id);
  if (gone.length === 0) return [];
  await tx.sql
    .updateTable("repositories")
    .set({ deleted_ms: tx.nowMs })
    .where((eb) => anyOf(tx, eb.ref("id"), gone))
    .execute();
  const owners = rows.map((row) => row.owner_id);
  await tx.sql
    .updateTable("accounts")
    .set({ repos_count: sql<number>`(select count(*) from repositories r where r.owner_id = accounts.id and r.deleted_ms is null)` })
    .where((eb) => anyOf(tx, eb.ref("id"), owners))
    .execute();
  await tx.sql
    .updateTable("repositories")
    .set({ forks_count: sql<number>`(select count(*) from repositories f where f.fork_of = repositories.id and f.deleted_ms is null)` })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("repositories as f")
        .select(sql<number>`f.fork_of`.as("fork_of"))
        .where((fork) => anyOf(tx, fork.ref("f.id"), gone))
        .where("f.fork_of", "is not", null),
    )
    .execute();
  await tx.sql
    .updateTable("repositories")
    .set({ fork_of: null })
    .where("fork_of", "is not", null)
    .where(() => anyOf(tx, sql.ref<number>("fork_of"), gone))
    .execute();
  await deleteTopics(tx, gone);
  await deleteStars(tx, gone);
  return rows.map((row) => ({ id: row.id, ownerId: row.owner_id, ownerName: row.owner_name, name: row.name }));
}

/** Ids of what an account owns. */
export async function listOwnedIds(db: Reader, ownerId: number): Promise<readonly number[]> {
  const rows = await db.sql.selectFrom("repositories").select("id").where("owner_id", "=", ownerId).where("deleted_ms", "is", null).execute();
  return rows.map((row) => row.id);
}

/** Ids of repositories that were deleted before a time, ascending. */
export async function listDeletedBefore(db: Reader, beforeMs: number, limit: number): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("repositories")
    .select("id")
    .where("deleted_ms", "is not", null)
    .where("deleted_ms", "<", beforeMs)
    .orderBy("deleted_ms")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Removes the rows of a deleted repository and all that hangs on them; its stores are nobody's then. */
export async function purgeRepository(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("repositories").where("id", "=", id).where("deleted_ms", "is not", null).execute();
}

/** Stores that belong to no repository, ascending: of repositories that were purged, and of makings that did not come to their end. */
export async function listOrphanedStores(db: Reader, createdBeforeMs: number, afterId: number, limit: number): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("git_stores as s")
    .select("s.id")
    .where("s.id", ">", afterId)
    .where("s.created_ms", "<", createdBeforeMs)
    .where((eb) => eb.not(eb.exists(eb.selectFrom("repositories as r").select("r.id").whereRef("r.code_store_id", "=", "s.id"))))
    .where((eb) => eb.not(eb.exists(eb.selectFrom("repositories as r").select("r.id").whereRef("r.wiki_store_id", "=", "s.id"))))
    .orderBy("s.id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Forgets a store. The database refuses while a repository has it. */
export async function deleteStore(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("git_stores").where("id", "=", id).execute();
}
