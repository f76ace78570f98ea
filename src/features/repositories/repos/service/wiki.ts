import type { Tx } from "../../../../db/db.ts";
import * as store from "../store/wiki.ts";

/** Sets the wiki store of a repository. @returns false if the repository was deleted or already has a wiki */
export const setWikiStore = (tx: Tx, repoId: number, storeId: number): Promise<boolean> => store.setWikiStore(tx, repoId, storeId);

/** The store of a repository's wiki; undefined for an unknown repository, null for one without a wiki. */
export const findWikiStore = (tx: Tx, repoId: number): Promise<number | null | undefined> => store.findWikiStore(tx, repoId);

/** Sets the time of the last change of a repository to now. */
export const touchRepository = (tx: Tx, repoId: number): Promise<void> => store.touchRepository(tx, repoId);
