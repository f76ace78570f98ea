import { notFound } from "../../../../core/errors.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import type { WriteReceipt } from "../../../../git/objects/write.ts";
import type { ObjectFormat } from "../../../../git/types.ts";
import { branchPrefix } from "../../refs/model.ts";
import type { RefUpdate } from "../../refs/moves.ts";
import { type MoveMode, type MoveResult, moveStoreRefs, setHead } from "../../refs/service/move.ts";
import { findRef } from "../../refs/service/read.ts";
import { createStore, getStore } from "../../refs/service/stores.ts";
import { findWikiStore, setWikiStore, touchWiki } from "../../repos/service/wiki.ts";

export interface WikiOwner {
  readonly id: number;
  readonly wikiStoreId: number | null;
  readonly objectFormat: ObjectFormat;
}

/**
 * The store of a repository's wiki, created if missing, because objects need a store before a ref can point to them.
 * @throws ForgeError `not_found` if the repository was deleted in the meantime
 */
export async function ensureWikiStore(deps: { readonly db: Db }, repository: WikiOwner, defaultBranch: string): Promise<number> {
  if (repository.wikiStoreId !== null) return repository.wikiStoreId;
  return deps.db.tx(async (tx) => {
    const present = await findWikiStore(tx, repository.id);
    if (present === undefined) throw notFound();
    if (present !== null) return present;
    const storeId = await createStore(tx, { format: repository.objectFormat, defaultBranch });
    if (!(await setWikiStore(tx, repository.id, storeId))) throw notFound();
    return storeId;
  });
}

/** Attaches an imported wiki to a new repository. @throws ForgeError `not_found` */
export async function adoptWikiStore(tx: Tx, repoId: number, storeId: number): Promise<void> {
  if (!(await setWikiStore(tx, repoId, storeId))) throw notFound();
}

export interface WikiMove {
  readonly repoId: number;
  readonly storeId: number;
  readonly mode: MoveMode;
  readonly updates: readonly RefUpdate[];
  readonly receipt?: WriteReceipt;
}

/**
 * Moves refs of a repository's wiki, within the caller's transaction. All changes of wikis use this function; the callers record the events
 * for pages or pushes. If HEAD points to no branch, it is set to the first one created.
 * @throws ForgeError as `moveStoreRefs`; `not_found` if the wiki was deleted
 */
export async function moveWikiRefs(tx: Tx, { repoId, storeId, mode, updates, receipt }: WikiMove): Promise<MoveResult> {
  const result = await moveStoreRefs(tx, storeId, updates, mode, receipt);
  if (result.moved.length === 0) return result;
  // The wiki can be deleted in the meantime: nothing would refer to the change.
  if (!(await touchWiki(tx, repoId, storeId))) throw notFound();
  const made = result.moved.find(({ name, oldOid }) => oldOid === null && name.startsWith(branchPrefix));
  if (made !== undefined) await adoptHead(tx, storeId, made.name);
  return result;
}

async function adoptHead(tx: Tx, storeId: number, branch: string): Promise<void> {
  const headRef = (await getStore(tx, storeId))?.headRef;
  if (headRef === undefined || headRef === branch || (await findRef(tx, storeId, headRef)) !== undefined) return;
  await setHead(tx, storeId, branch);
}
