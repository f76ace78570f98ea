import type { Reader } from "../../../../db/db.ts";
import { loadNamesOfStores } from "../store/stores.ts";

/** Full names of the repositories of stores, `owner/name.wiki` for wikis. One statement. */
export const namesOfStores = async (db: Reader, storeIds: readonly number[]): Promise<ReadonlyMap<number, string>> =>
  storeIds.length === 0 ? new Map() : loadNamesOfStores(db, storeIds);
