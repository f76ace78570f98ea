import type { Tx } from "../../../db/db.ts";

/** Gives a repository its wiki. @returns false when the repository is gone or has one by now */
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

/** The store of a repository's wiki; undefined for a repository that is gone, null for one without. */
export async function findWikiStore(tx: Tx, repoId: number): Promise<number | null | undefined> {
  const row = await tx.sql.selectFrom("repositories").select("wiki_store_id").where("id", "=", repoId).where("deleted_ms", "is", null).executeTakeFirst();
  return row?.wiki_store_id;
}

export async function touchRepository(tx: Tx, repoId: number): Promise<void> {
  await tx.sql.updateTable("repositories").set({ updated_ms: tx.nowMs }).where("id", "=", repoId).execute();
}
