import { sql } from "kysely";
import { anyOf } from "../../../db/any-of.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { LfsObject } from "../view.ts";

/** Those of some objects that a repository has, by their oids. One statement. */
export async function findObjects(db: Reader, repoId: number, oids: readonly string[]): Promise<ReadonlyMap<string, LfsObject>> {
  if (oids.length === 0) return new Map();
  const rows = await db.sql
    .selectFrom("lfs_objects")
    .select(["oid", "size_bytes", "file"])
    .where("repo_id", "=", repoId)
    .where((eb) => anyOf(db, eb.ref("oid"), oids))
    .execute();
  return new Map(rows.map((row) => [row.oid, { oid: row.oid, sizeBytes: row.size_bytes, file: row.file }]));
}

/** @returns false when the repository has it already */
export async function insertObject(tx: Tx, repoId: number, object: LfsObject): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.sql
    .insertInto("lfs_objects")
    .values({ repo_id: repoId, oid: object.oid, size_bytes: object.sizeBytes, file: object.file, created_ms: tx.nowMs })
    .onConflict((conflict) => conflict.columns(["repo_id", "oid"]).doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** All objects of a repository become another one's too, which has none yet. One statement. @returns whether there are any */
export async function copyObjects(tx: Tx, fromRepoId: number, toRepoId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.sql
    .insertInto("lfs_objects")
    .columns(["repo_id", "oid", "size_bytes", "file", "created_ms"])
    .expression((eb) =>
      eb
        .selectFrom("lfs_objects")
        .select([sql<number>`cast(${toRepoId} as bigint)`.as("repo_id"), "oid", "size_bytes", "file", "created_ms"])
        .where("repo_id", "=", fromRepoId),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Which of some files are objects'. */
export async function findUsedFiles(db: Reader, files: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.sql
    .selectFrom("lfs_objects")
    .select("file")
    .where((eb) => anyOf(db, eb.ref("file"), files))
    .execute();
  return new Set(rows.map(({ file }) => file));
}

export interface StoredObject extends LfsObject {
  readonly repoId: number;
}

/** All objects of all repositories in pages, in the order of their key. @param after the last one of the page before */
export async function pageOfObjects(db: Reader, after: Pick<StoredObject, "repoId" | "oid"> | undefined, limit: number): Promise<readonly StoredObject[]> {
  let query = db.sql.selectFrom("lfs_objects").select(["repo_id", "oid", "size_bytes", "file"]);
  if (after !== undefined) {
    query = query.where((eb) => eb.or([eb("repo_id", ">", after.repoId), eb.and([eb("repo_id", "=", after.repoId), eb("oid", ">", after.oid)])]));
  }
  const rows = await query.orderBy("repo_id").orderBy("oid").limit(limit).execute();
  return rows.map((row) => ({ repoId: row.repo_id, oid: row.oid, sizeBytes: row.size_bytes, file: row.file }));
}
