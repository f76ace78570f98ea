import type { Reader, Tx } from "../../../../db/db.ts";
import type { ObjectFormat } from "../../../../git/types.ts";
import { branchPrefix, type StoreView } from "../model.ts";
import { deleteStore as deleteStoreRow, findStore, insertStore } from "../store/stores.ts";

/** Creates an empty store; its directory is created with the first objects. @returns the id */
export const createStore = (tx: Tx, { format, defaultBranch }: { readonly format: ObjectFormat; readonly defaultBranch: string }): Promise<number> =>
  insertStore(tx, { format, headRef: branchPrefix + defaultBranch });

export const getStore = (db: Reader, id: number): Promise<StoreView | undefined> => findStore(db, id);

/** Deletes the row of a store. The database rejects this while a repository references it. */
export const deleteStore = (tx: Tx, id: number): Promise<void> => deleteStoreRow(tx, id);
