import type { Tx } from "../../../../db/db.ts";

/** Sets the wiki store of a repository. @returns false if the repository was deleted or already has a wiki */
export async function setWikiStore(tx: Tx, repoId: number, storeId: number): Promise<boolean> {
  const [{ numUpdatedRows } = { numUpdatedRows: 0n }] = await tx.sql
    .updateTable("repositories")
    .set({ wiki_store_id: storeId })
    .where("id", "=", repoId)
    .where("wiki_store_id", "is", null)
    .where("deleted_ms", "is", null)
    .execute();
  return Number(numUpdatedRows) === 1;
}

/** The store of a repository's wiki; undefined for an unknown repository, null for one without a wiki. */
export async function findWikiStore(tx: Tx, repoId: number): Promise<number | null | undefined> {
  const row = await tx.sql.selectFrom("repositories").select("wiki_store_id").where("id", "=", repoId).where("deleted_ms", "is", null).executeTakeFirst();
  return row?.wiki_store_id;
}

/** Sets the time of the last change to now. @returns false if the repository no longer has this wiki */
export async function touchWiki(tx: Tx, repoId: number, storeId: number): Promise<boolean> {
  const [{ numUpdatedRows } = { numUpdatedRows: 0n }] = await tx.sql
    .updateTable("repositories")
    .set({ updated_ms: tx.nowMs })
    .where("id", "=", repoId)
    .where("wiki_store_id", "=", storeId)
    .execute();
  return Number(numUpdatedRows) === 1;
}

/** Removes the wiki of a repository; its store becomes orphaned. @returns false if the repository has none */
export async function dropWikiStore(tx: Tx, repoId: number): Promise<boolean> {
  const [{ numUpdatedRows } = { numUpdatedRows: 0n }] = await tx.sql
    .updateTable("repositories")
    .set({ wiki_store_id: null, updated_ms: tx.nowMs })
    .where("id", "=", repoId)
    .where("wiki_store_id", "is not", null)
    .where("deleted_ms", "is", null)
    .execute();
  return Number(numUpdatedRows) === 1;
}
