import { type Expression, type SqlBool, sql } from "kysely";
import { foldName } from "../../../../core/names.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { recountStarsOn } from "./stars-and-watches.ts";
import { recountTopicsOf } from "./topics.ts";

/** The state of a repository when it was deleted. */
export interface DeletedRepository {
  readonly id: number;
  readonly ownerId: number;
  readonly ownerName: string;
  readonly name: string;
}

/**
 * Marks repositories as deleted: look-ups and lists no longer find them, and their names are free. A constant number of statements.
 * Counters elsewhere (forks, stars, topics, the owner's repositories) are updated; the rows are kept for {@link reviveRepository} until the
 * sweep removes them.
 */
export async function tombstoneRepositories(tx: Tx, ids: readonly number[], deleterId: number | null): Promise<readonly DeletedRepository[]> {
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
    .set({ deleted_ms: tx.nowMs, deleter_id: deleterId })
    .where((eb) => anyOf(tx, eb.ref("id"), gone))
    .execute();
  await recountAround(
    tx,
    gone,
    rows.map((row) => row.owner_id),
  );
  return rows.map((row) => ({ id: row.id, ownerId: row.owner_id, ownerName: row.owner_name, name: row.name }));
}

/** Updates counters that include the repositories. */
async function recountAround(tx: Tx, ids: readonly number[], ownerIds: readonly number[]): Promise<void> {
  await tx.sql
    .updateTable("accounts")
    .set({ repos_count: sql<number>`(select count(*) from repositories r where r.owner_id = accounts.id and r.deleted_ms is null)` })
    .where((eb) => anyOf(tx, eb.ref("id"), ownerIds))
    .execute();
  await tx.sql
    .updateTable("repositories")
    .set({ forks_count: sql<number>`(select count(*) from repositories f where f.fork_of = repositories.id and f.deleted_ms is null)` })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("repositories as f")
        .select(sql<number>`f.fork_of`.as("fork_of"))
        .where((fork) => anyOf(tx, fork.ref("f.id"), ids))
        .where("f.fork_of", "is not", null),
    )
    .execute();
  await recountTopicsOf(tx, ids);
  await recountStarsOn(tx, ids);
}

/** A deleted repository that can still be restored. */
export interface DeletedRow extends DeletedRepository {
  readonly deletedMs: number;
  readonly isPrivate: boolean;
  readonly sizeBytes: number;
}

const deletedRows = (db: Reader) =>
  db.sql
    .selectFrom("repositories as r")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .innerJoin("git_stores as s", "s.id", "r.code_store_id")
    .select(["r.id", "r.owner_id", "o.name as owner_name", "r.name", "r.deleted_ms", "r.is_private", "s.size_bytes"])
    .where("r.deleted_ms", "is not", null);

const toDeleted = (row: Awaited<ReturnType<ReturnType<typeof deletedRows>["executeTakeFirstOrThrow"]>>): DeletedRow => ({
  id: row.id,
  ownerId: row.owner_id,
  ownerName: row.owner_name,
  name: row.name,
  deletedMs: row.deleted_ms ?? 0,
  isPrivate: row.is_private === 1,
  sizeBytes: row.size_bytes,
});

/** Whether an account owns the repository, directly or as a member of the owners team. */
const ownedBy = (account: Expression<unknown>) =>
  sql<SqlBool>`(r.owner_id = ${account} or exists (
    select 1 from teams t join team_members tm on tm.team_id = t.id where t.org_id = r.owner_id and t.mode = 'owner' and tm.account_id = ${account}))`;

/** Repositories that the account co-owns and that one of their owners deleted. */
const ownDeletedRows = (db: Reader, actorId: number) =>
  deletedRows(db)
    .where(ownedBy(sql`${actorId}`))
    .where(ownedBy(sql.ref("r.deleter_id")));

/** A page of the deleted repositories, latest first: all, or those that an owner can restore. At most two statements. */
export async function pageDeleted(db: Reader, page: Page, actorId?: number): Promise<Paged<DeletedRow>> {
  const deleted = actorId === undefined ? deletedRows(db) : ownDeletedRows(db, actorId);
  const rows = await deleted.orderBy("r.deleted_ms", "desc").orderBy("r.id", "desc").limit(page.limit).offset(page.offset).execute();
  const items = rows.map(toDeleted);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await deleted
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}

/** A deleted repository: any, or one that an owner can restore. */
export async function findDeleted(db: Reader, id: number, actorId?: number): Promise<DeletedRow | undefined> {
  const row = await (actorId === undefined ? deletedRows(db) : ownDeletedRows(db, actorId)).where("r.id", "=", id).executeTakeFirst();
  return row && toDeleted(row);
}

/** Restores a deleted repository under a given name. Throws a unique violation for a name in use. */
export async function reviveRepository(tx: Tx, { id, ownerId }: Pick<DeletedRow, "id" | "ownerId">, name: string): Promise<void> {
  await tx.sql
    .updateTable("repositories")
    .set({ deleted_ms: null, deleter_id: null, name, name_folded: foldName(name), updated_ms: tx.nowMs })
    .where("id", "=", id)
    .execute();
  await recountAround(tx, [id], [ownerId]);
}

/** Ids of the repositories of an account. */
export async function listOwnedIds(db: Reader, ownerId: number): Promise<readonly number[]> {
  const rows = await db.sql.selectFrom("repositories").select("id").where("owner_id", "=", ownerId).where("deleted_ms", "is", null).execute();
  return rows.map((row) => row.id);
}

/** Ids of repositories that were deleted before a time, in ascending order. */
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

/** Deletes the rows of a deleted repository and everything that references them; its stores become orphaned. */
export async function purgeRepository(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("repositories").where("id", "=", id).where("deleted_ms", "is not", null).execute();
}

/** Stores without a repository or migration, in ascending order: of purged repositories, and of interrupted creations. */
export async function listOrphanedStores(db: Reader, createdBeforeMs: number, afterId: number, limit: number): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("git_stores as s")
    .select("s.id")
    .where("s.id", ">", afterId)
    .where("s.created_ms", "<", createdBeforeMs)
    .where((eb) => eb.not(eb.exists(eb.selectFrom("repositories as r").select("r.id").whereRef("r.code_store_id", "=", "s.id"))))
    .where((eb) => eb.not(eb.exists(eb.selectFrom("repositories as r").select("r.id").whereRef("r.wiki_store_id", "=", "s.id"))))
    .where((eb) => eb.not(eb.exists(eb.selectFrom("repo_migrations as m").select("m.id").whereRef("m.code_store_id", "=", "s.id"))))
    .orderBy("s.id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}
