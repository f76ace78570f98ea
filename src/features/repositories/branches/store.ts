import { anyOf } from "../../../db/any-of.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { DeletedBranch } from "./model.ts";

const columns = ["id", "repo_id", "store_id", "name", "oid", "deleter_id", "deleted_ms"] as const;

interface Row {
  readonly id: number;
  readonly repo_id: number;
  readonly store_id: number;
  readonly name: string;
  readonly oid: string;
  readonly deleter_id: number | null;
  readonly deleted_ms: number;
}

const toDeleted = (row: Row): DeletedBranch => ({
  id: row.id,
  repoId: row.repo_id,
  storeId: row.store_id,
  name: row.name,
  oid: row.oid,
  deleterId: row.deleter_id,
  deletedMs: row.deleted_ms,
});

/** Returns the rows in the given order. One statement. */
export async function insertDeleted(tx: Tx, deleted: readonly Omit<DeletedBranch, "id">[]): Promise<readonly DeletedBranch[]> {
  const rows = await tx.sql
    .insertInto("deleted_branches")
    .values(
      deleted.map(({ repoId, storeId, name, oid, deleterId, deletedMs }) => ({
        repo_id: repoId,
        store_id: storeId,
        name,
        oid,
        deleter_id: deleterId,
        deleted_ms: deletedMs,
      })),
    )
    .returning(columns)
    .execute();
  return rows.map(toDeleted);
}

/** All kept branches of a repository, latest first. One statement. */
export async function listDeleted(db: Reader, repoId: number): Promise<readonly DeletedBranch[]> {
  const rows = await db.sql.selectFrom("deleted_branches").select(columns).where("repo_id", "=", repoId).orderBy("id", "desc").execute();
  return rows.map(toDeleted);
}

export async function findDeleted(db: Reader, repoId: number, id: number): Promise<DeletedBranch | undefined> {
  const row = await db.sql.selectFrom("deleted_branches").select(columns).where("repo_id", "=", repoId).where("id", "=", id).executeTakeFirst();
  return row && toDeleted(row);
}

export async function forgetDeleted(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.sql
    .deleteFrom("deleted_branches")
    .where((eb) => anyOf(tx, eb.ref("id"), ids))
    .execute();
}

/** Deletes all rows of a repository except the latest `kept`. One statement. */
export async function forgetBeyond(tx: Tx, repoId: number, kept: number): Promise<readonly DeletedBranch[]> {
  const rows = await tx.sql
    .deleteFrom("deleted_branches")
    .where("repo_id", "=", repoId)
    .where("id", "<=", (eb) => eb.selectFrom("deleted_branches").select("id").where("repo_id", "=", repoId).orderBy("id", "desc").offset(kept).limit(1))
    .returning(columns)
    .execute();
  return rows.map(toDeleted);
}

/** Deletes at most `limit` rows older than a time. One statement. */
export async function forgetBefore(tx: Tx, beforeMs: number, limit: number): Promise<readonly DeletedBranch[]> {
  const rows = await tx.sql
    .deleteFrom("deleted_branches")
    .where("id", "in", (eb) => eb.selectFrom("deleted_branches").select("id").where("deleted_ms", "<", beforeMs).orderBy("deleted_ms").limit(limit))
    .returning(columns)
    .execute();
  return rows.map(toDeleted);
}
