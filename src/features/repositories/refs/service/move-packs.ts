import { join } from "node:path";
import type { Db, Tx } from "../../../../db/db.ts";
import { inspectStore, repackNew } from "../../../../git/maintain/housekeeping.ts";
import { hasSetAside, restoreSetAside } from "../../../../git/maintain/set-aside.ts";
import { listPacks } from "../../../../git/receive/pack-parts.ts";
import { type GitStores, isPresent } from "../../../../git/stores.ts";
import type { ObjectFormat } from "../../../../git/types.ts";
import { loadPacks, removeAllPacks } from "../store/packs.ts";
import { listStoreIds } from "../store/stores.ts";
import { withAllRefs } from "./snapshots.ts";
import { getStore } from "./stores.ts";

export interface MovePacksDeps {
  readonly db: Db;
  /** Stores whose packs are shared. */
  readonly git: GitStores;
}

const batch = 200;

/**
 * Stores the packs of all directories where nodes share them. Packs that are listed are left, so an interrupted call can be repeated. No
 * server may be running.
 * @returns the number of packs that were stored
 */
export async function sharePacks(deps: MovePacksDeps): Promise<number> {
  let count = 0;
  for await (const id of allStoreIds(deps.db)) count += await shareStore(deps, id);
  return count;
}

async function shareStore({ db, git }: MovePacksDeps, id: number): Promise<number> {
  const row = await getStore(db, id);
  if (row === undefined) return 0;
  const store = git.store(id, row.format, row.packsVersion);
  if (!(await isPresent(store))) return 0;
  // Objects that a ref may need again, and those of earlier versions that are not packed.
  if (await hasSetAside(store, "all")) await restoreSetAside(store, "all");
  if ((await inspectStore(store)).looseObjects > 0) await withAllRefs({ db, git }, store, (shown) => repackNew(shown));
  const listed = new Set((await loadPacks(db, id))?.packs.map(({ name }) => name));
  const unlisted = listPacks(join(store.objectsPath, "pack")).filter((name) => !listed.has(name));
  await git.shared.packs.publish(store, unlisted);
  await git.shared.packs.list(id);
  return unlisted.length;
}

/** Fetches the packs of all stores into their directories, checked and durable. @returns the number of stores */
export async function fetchPacks({ db, git }: MovePacksDeps): Promise<number> {
  let count = 0;
  for await (const id of allStoreIds(db)) {
    const row = await getStore(db, id);
    if (row !== undefined && (await isPresent(git.store(id, row.format)))) count += 1;
  }
  return count;
}

/** Empties the lists of packs, whose objects stay in the bucket for as long as replaced ones do. */
export const forgetPacks = (tx: Tx): Promise<void> => removeAllPacks(tx);

/** All stores, with those of deleted repositories that are kept. */
export async function* listAllStores(db: Db): AsyncGenerator<{ readonly id: number; readonly format: ObjectFormat }> {
  for await (const id of allStoreIds(db)) {
    const row = await getStore(db, id);
    if (row !== undefined) yield { id, format: row.format };
  }
}

async function* allStoreIds(db: Db): AsyncGenerator<number> {
  for (let afterId = 0; ; ) {
    const ids = await listStoreIds(db, afterId, batch);
    yield* ids;
    if (ids.length < batch) return;
    afterId = ids.at(-1) ?? afterId;
  }
}
