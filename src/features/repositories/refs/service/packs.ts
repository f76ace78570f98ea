import type { Tx } from "../../../../db/db.ts";

/**
 * To be called in each transaction that may reference new objects of a store: the packs with objects that this process has published are
 * listed in the same transaction.
 */
export const announceObjects = (tx: Tx, storeId: number): void => tx.announce("stores", storeId);
