import type { Reader, Tx } from "../../../../db/db.ts";
import type { LfsLock } from "../model.ts";

export interface LockFilter {
  readonly id: number | undefined;
  readonly path: string | undefined;
  /** Only locks with at least this id. */
  readonly fromId: number;
  readonly limit: number;
}

const locks = (db: Reader, repoId: number) =>
  db.sql
    .selectFrom("lfs_locks as l")
    .innerJoin("accounts as a", "a.id", "l.account_id")
    .select(["l.id", "l.path", "l.account_id", "a.name", "l.created_ms"])
    .where("l.repo_id", "=", repoId);

const toLock = (row: { id: number; path: string; account_id: number; name: string; created_ms: number }): LfsLock => ({
  id: row.id,
  path: row.path,
  ownerId: row.account_id,
  ownerName: row.name,
  createdMs: row.created_ms,
});

/** A repository's locks, oldest first. One statement. */
export async function listLocks(db: Reader, repoId: number, { id, path, fromId, limit }: LockFilter): Promise<readonly LfsLock[]> {
  let query = locks(db, repoId).where("l.id", ">=", fromId);
  if (id !== undefined) query = query.where("l.id", "=", id);
  if (path !== undefined) query = query.where("l.path", "=", path);
  return (await query.orderBy("l.id").limit(limit).execute()).map(toLock);
}

export async function findLock(db: Reader, repoId: number, by: { readonly id: number } | { readonly path: string }): Promise<LfsLock | undefined> {
  const query = locks(db, repoId);
  const row = await ("id" in by ? query.where("l.id", "=", by.id) : query.where("l.path", "=", by.path)).executeTakeFirst();
  return row && toLock(row);
}

/** @returns undefined if the path is already locked */
export async function insertLock(tx: Tx, repoId: number, accountId: number, path: string): Promise<number | undefined> {
  const row = await tx.sql
    .insertInto("lfs_locks")
    .values({ repo_id: repoId, account_id: accountId, path, created_ms: tx.nowMs })
    .onConflict((conflict) => conflict.columns(["repo_id", "path"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

export async function deleteLock(tx: Tx, repoId: number, id: number): Promise<void> {
  await tx.sql.deleteFrom("lfs_locks").where("repo_id", "=", repoId).where("id", "=", id).execute();
}
