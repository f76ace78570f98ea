import { anyOf } from "../../../db/any-of.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { StoredFile } from "./model.ts";

/** @returns the kept copy of this content: this one or an existing one */
export async function insertFile(tx: Tx, { digest, sizeBytes, file }: StoredFile): Promise<string> {
  const inserted = await tx.sql
    .insertInto("stored_files")
    .values({ digest, size_bytes: sizeBytes, file, created_ms: tx.nowMs })
    .onConflict((conflict) => conflict.column("digest").doNothing())
    .executeTakeFirstOrThrow();
  if ((inserted.numInsertedOrUpdatedRows ?? 0n) > 0n) return file;
  return (await tx.sql.selectFrom("stored_files").select("file").where("digest", "=", digest).executeTakeFirstOrThrow()).file;
}

/** Contents without references. */
const unheld = (db: Reader) =>
  db.sql
    .selectFrom("stored_files as f")
    .where((eb) => eb.not(eb.exists(eb.selectFrom("attachments as a").select("a.id").whereRef("a.digest", "=", "f.digest"))))
    .where((eb) => eb.not(eb.exists(eb.selectFrom("lfs_objects as o").select("o.repo_id").whereRef("o.oid", "=", "f.digest"))))
    .where((eb) => eb.not(eb.exists(eb.selectFrom("action_artifacts as t").select("t.id").whereRef("t.digest", "=", "f.digest"))))
    .where((eb) => eb.not(eb.exists(eb.selectFrom("action_caches as c").select("c.id").whereRef("c.digest", "=", "f.digest"))))
    .where((eb) => eb.not(eb.exists(eb.selectFrom("action_uploads as u").select("u.id").whereRef("u.digest", "=", "f.digest"))));

/** Unregisters a content without references. */
export async function deleteUnheld(tx: Tx, digest: string): Promise<void> {
  const found = await unheld(tx).select("f.file").where("f.digest", "=", digest).executeTakeFirst();
  if (found !== undefined) await tx.sql.deleteFrom("stored_files").where("digest", "=", digest).execute();
}

/** Unregisters up to `limit` contents without references. @returns their number */
export async function deleteAllUnheld(tx: Tx, limit: number): Promise<number> {
  const digests = (await unheld(tx).select("f.digest").orderBy("f.digest").limit(limit).execute()).map(({ digest }) => digest);
  if (digests.length > 0)
    await tx.sql
      .deleteFrom("stored_files")
      .where((eb) => anyOf(tx, eb.ref("digest"), digests))
      .execute();
  return digests.length;
}

/** Those of some file names that have a row. */
export async function findUsedFiles(db: Reader, files: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.sql
    .selectFrom("stored_files")
    .select("file")
    .where((eb) => anyOf(db, eb.ref("file"), files))
    .execute();
  return new Set(rows.map(({ file }) => file));
}

/** All contents in pages, by digest. */
export async function listFiles(db: Reader, after: string, limit: number): Promise<readonly StoredFile[]> {
  const rows = await db.sql
    .selectFrom("stored_files")
    .select(["digest", "size_bytes", "file"])
    .where("digest", ">", after)
    .orderBy("digest")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ digest: row.digest, sizeBytes: row.size_bytes, file: row.file }));
}

/** A few of the references to a content: `attachment <uuid>`, `large file of repository <id>`, `artifact <id>`, `cache <id>`. */
export async function listHolders(db: Reader, digest: string, limit: number): Promise<readonly string[]> {
  const attached = await db.sql.selectFrom("attachments").select("uuid").where("digest", "=", digest).orderBy("id").limit(limit).execute();
  const large = await db.sql.selectFrom("lfs_objects").select("repo_id").where("oid", "=", digest).orderBy("repo_id").limit(limit).execute();
  const artifacts = await db.sql.selectFrom("action_artifacts").select("id").where("digest", "=", digest).orderBy("id").limit(limit).execute();
  const caches = await db.sql.selectFrom("action_caches").select("id").where("digest", "=", digest).orderBy("id").limit(limit).execute();
  return [
    ...attached.map(({ uuid }) => `attachment ${uuid}`),
    ...large.map((row) => `large file of repository ${row.repo_id}`),
    ...artifacts.map(({ id }) => `artifact ${id}`),
    ...caches.map(({ id }) => `cache ${id}`),
  ];
}
