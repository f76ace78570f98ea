import { sql } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { LfsObject, LfsPointer } from "../model.ts";

/** Those of some objects that a repository has, by oid. One statement. */
export async function findObjects(db: Reader, repoId: number, oids: readonly string[]): Promise<ReadonlyMap<string, LfsObject>> {
  if (oids.length === 0) return new Map();
  const rows = await db.sql
    .selectFrom("lfs_objects as o")
    .innerJoin("stored_files as f", "f.digest", "o.oid")
    .select(["o.oid", "o.size_bytes", "f.file"])
    .where("o.repo_id", "=", repoId)
    .where((eb) => anyOf(db, eb.ref("o.oid"), oids))
    .execute();
  return new Map(rows.map((row) => [row.oid, { oid: row.oid, sizeBytes: row.size_bytes, file: row.file }]));
}

export interface LfsObjectRow {
  readonly oid: string;
  readonly sizeBytes: number;
  readonly createdMs: number;
}

/** A page of a repository's objects, newest first, with their number and total size. Two statements. */
export async function pageObjects(db: Reader, repoId: number, page: Page): Promise<Paged<LfsObjectRow> & { readonly totalBytes: number }> {
  const objects = db.sql.selectFrom("lfs_objects").where("repo_id", "=", repoId);
  const counted = await objects
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.sum<number | null>("size_bytes").as("bytes")])
    .executeTakeFirstOrThrow();
  const rows = await objects
    .select(["oid", "size_bytes", "created_ms"])
    .orderBy("created_ms", "desc")
    .orderBy("oid")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return {
    items: rows.map((row) => ({ oid: row.oid, sizeBytes: row.size_bytes, createdMs: row.created_ms })),
    total: Number(counted.count),
    totalBytes: Number(counted.bytes ?? 0),
  };
}

/** The content is already stored. @returns false if the repository already has the object */
export async function insertObject(tx: Tx, repoId: number, object: LfsPointer): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.sql
    .insertInto("lfs_objects")
    .values({ repo_id: repoId, oid: object.oid, size_bytes: object.sizeBytes, created_ms: tx.nowMs })
    .onConflict((conflict) => conflict.columns(["repo_id", "oid"]).doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Copies all objects of a repository to another one that has none yet. One statement. @returns whether there are any */
export async function copyObjects(tx: Tx, fromRepoId: number, toRepoId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.sql
    .insertInto("lfs_objects")
    .columns(["repo_id", "oid", "size_bytes", "created_ms"])
    .expression((eb) =>
      eb
        .selectFrom("lfs_objects")
        .select([sql<number>`cast(${toRepoId} as bigint)`.as("repo_id"), "oid", "size_bytes", "created_ms"])
        .where("repo_id", "=", fromRepoId),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
