import type { Reader, Tx } from "../../../../db/db.ts";
import type { ObjectFormat } from "../../../../git/types.ts";
import { branchPrefix, type StoreView } from "../model.ts";
import { removePacks } from "../store/packs.ts";
import { deleteStore as deleteStoreRow, findStore, insertStore, listStoreIds } from "../store/stores.ts";

/** Creates an empty store; its directory is created with the first objects. @returns the id */
export const createStore = (tx: Tx, { format, defaultBranch }: { readonly format: ObjectFormat; readonly defaultBranch: string }): Promise<number> =>
  insertStore(tx, { format, headRef: branchPrefix + defaultBranch });

export const getStore = (db: Reader, id: number): Promise<StoreView | undefined> => findStore(db, id);

/** Whether a repository has ever been created and not been removed completely. */
export const hasStores = async (db: Reader): Promise<boolean> => (await listStoreIds(db, 0, 1)).length > 0;

/** Deletes the row of a store. The database rejects this while a repository references it. */
export async function deleteStore(tx: Tx, id: number): Promise<void> {
  await removePacks(tx, id);
  await deleteStoreRow(tx, id);
}
