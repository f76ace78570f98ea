import type { Tx } from "../../../../db/db.ts";
import * as store from "../store/wiki.ts";

/** Sets the wiki store of a repository. @returns false if the repository was deleted or already has a wiki */
export const setWikiStore = (tx: Tx, repoId: number, storeId: number): Promise<boolean> => store.setWikiStore(tx, repoId, storeId);

/** The store of a repository's wiki; undefined for an unknown repository, null for one without a wiki. */
export const findWikiStore = (tx: Tx, repoId: number): Promise<number | null | undefined> => store.findWikiStore(tx, repoId);

/** Sets the time of the last change to now. @returns false if the repository no longer has this wiki */
export const touchWiki = (tx: Tx, repoId: number, storeId: number): Promise<boolean> => store.touchWiki(tx, repoId, storeId);

/**
 * Deletes the wiki of a repository with its history, within a transaction. The sweep removes its store, and changes of pages that are in progress fail.
 * @returns false if the repository has no wiki
 */
export const dropWikiStore = (tx: Tx, repoId: number): Promise<boolean> => store.dropWikiStore(tx, repoId);
