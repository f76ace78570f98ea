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

export async function touchRepository(tx: Tx, repoId: number): Promise<void> {
  await tx.sql.updateTable("repositories").set({ updated_ms: tx.nowMs }).where("id", "=", repoId).execute();
}
