import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Page, Paged } from "../../../core/paging.ts";
import { anyOf } from "../../../db/any-of.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { StarList, StarListInput } from "./model.ts";

const selectLists = (db: Reader, accountId: number) =>
  db.sql.selectFrom("star_lists").select(["id", "name", "description", "is_private"]).where("account_id", "=", accountId);

const toList = ({ is_private, ...list }: { id: number; name: string; description: string; is_private: number }): StarList => ({
  ...list,
  isPrivate: is_private === 1,
});

/** By name. One statement. */
export async function listLists(db: Reader, accountId: number, shown: "all" | "public"): Promise<StarList[]> {
  const lists = selectLists(db, accountId).orderBy(sql`lower(name)`).orderBy("id");
  return (await (shown === "all" ? lists : lists.where("is_private", "=", 0)).execute()).map(toList);
}

export async function findList(db: Reader, accountId: number, id: number): Promise<StarList | undefined> {
  const row = await selectLists(db, accountId).where("id", "=", id).executeTakeFirst();
  return row && toList(row);
}

export async function insertList(tx: Tx, accountId: number, { name, description, isPrivate }: StarListInput): Promise<void> {
  await tx.sql
    .insertInto("star_lists")
    .values({ account_id: accountId, name, description, is_private: isPrivate ? 1 : 0, updated_ms: tx.nowMs })
    .execute();
}

/** @returns false if the account has no such list */
export async function updateList(tx: Tx, accountId: number, { id, name, description, isPrivate }: StarList): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("star_lists")
    .set({ name, description, is_private: isPrivate ? 1 : 0, updated_ms: tx.nowMs })
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteList(tx: Tx, accountId: number, id: number): Promise<void> {
  await tx.sql.deleteFrom("star_lists").where("account_id", "=", accountId).where("id", "=", id).execute();
}

export async function countInList(db: Reader, listId: number): Promise<number> {
  const { total } = await db.sql
    .selectFrom("star_list_repositories")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("list_id", "=", listId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

export async function insertIntoList(tx: Tx, listId: number, repoId: number): Promise<void> {
  await tx.sql
    .insertInto("star_list_repositories")
    .values({ list_id: listId, repo_id: repoId, added_ms: tx.nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteFromList(tx: Tx, accountId: number, listId: number, repoId: number): Promise<void> {
  await tx.sql
    .deleteFrom("star_list_repositories")
    .where("list_id", "in", (eb) => eb.selectFrom("star_lists").select("id").where("account_id", "=", accountId).where("id", "=", listId))
    .where("repo_id", "=", repoId)
    .execute();
}

/** Ids of an account's lists that contain repositories, by repository. One statement. */
export async function listsOf(db: Reader, accountId: number, repoIds: readonly number[]): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const rows = await db.sql
    .selectFrom("star_list_repositories as i")
    .innerJoin("star_lists as l", "l.id", "i.list_id")
    .select(["i.repo_id", "i.list_id"])
    .where("l.account_id", "=", accountId)
    .where((eb) => anyOf(db, eb.ref("i.repo_id"), repoIds))
    .execute();
  return new Map([...Map.groupBy(rows, ({ repo_id }) => repo_id)].map(([id, group]) => [id, new Set(group.map(({ list_id }) => list_id))]));
}

/**
 * A page of the starred repositories of a list that a caller can read, latest first. Two statements.
 * @param isReadable condition on a repository `r` with its owner `o`
 */
export async function pageOfList(
  db: Reader,
  { listId, accountId }: { readonly listId: number; readonly accountId: number },
  isReadable: RawBuilder<SqlBool>,
  page: Page,
): Promise<Paged<number>> {
  const from = sql`star_list_repositories i join repositories r on r.id = i.repo_id join accounts o on o.id = r.owner_id
    join stars m on m.repo_id = r.id and m.account_id = ${accountId} where i.list_id = ${listId} and ${isReadable}`;
  const { rows } = await sql<{ id: number }>`
    select r.id as id from ${from} order by i.added_ms desc, r.id desc limit ${page.limit} offset ${page.offset}`.execute(db.sql);
  const counted = await sql<{ total: number }>`select count(*) as total from ${from}`.execute(db.sql);
  return { items: rows.map(({ id }) => id), total: Number(counted.rows[0]?.total ?? 0) };
}
