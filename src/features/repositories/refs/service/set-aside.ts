import type { Clock } from "../../../../core/clock.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { deleteSetAside, hasSetAside, restoreSetAside, type SetAsideScope } from "../../../../git/maintain/set-aside.ts";
import { lacksObjectsOf, readCollectedRefs } from "../../../../git/receive/collected-refs.ts";
import type { GitStores } from "../../../../git/stores.ts";
import { defineJob, enqueue } from "../../../../jobs/job.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import { keptUnusedMs } from "../../../../storage/unused-files.ts";
import { type ChangedStore, changeStore, endSetAside, findSetAsideMs, type StoreChange } from "../store/stores.ts";
import { refTargets } from "./read.ts";
import { getStore } from "./stores.ts";

/**
 * Objects that a collection removes are set aside for days. A ref can only be pointed to them by a request that has read them before, or
 * through an open pack or a cache, all of which last for less than a day. Its transaction enqueues a check, which moves the objects back (docs/decisions/0057-removed-objects-are-set-aside.md).
 */
export interface SetAsideDeps {
  readonly db: Db;
  readonly git: GitStores;
}

type OfStore = { readonly storeId: number };

/** Checks the refs of a store whose objects are set aside. The cost is proportional to what is new since the collection. */
export const restoreSetAsideJob = defineJob<OfStore>("refs.restore_set_aside");
export const dropSetAsideJob = defineJob<OfStore>("refs.drop_set_aside");

/** Longer than any request or job, and than caches and processes remember objects (`cachedMs`, `CatFileLimits.ageMs`). A backup contains them. */
const keptMs = keptUnusedMs;

/** Increments the version of a store's refs, and enqueues a check if the refs may need objects that are set aside. */
export async function recordMove(tx: Tx, storeId: number, change: StoreChange): Promise<ChangedStore> {
  const changed = await changeStore(tx, storeId, change);
  if (changed.hasSetAside) await enqueue(tx, restoreSetAsideJob, { storeId }, { dedupeKey: `${storeId}` });
  return changed;
}

export const enqueueDropSetAside = (tx: Tx, storeId: number, sinceMs: number): Promise<void> =>
  enqueue(tx, dropSetAsideJob, { storeId }, { dedupeKey: `${storeId}`, runAtMs: sinceMs + keptMs });

/** Moves objects that were set aside back into the store if a ref needs them. */
export async function restoreNeeded({ db, git }: SetAsideDeps, storeId: number, scope: SetAsideScope, signal: AbortSignal): Promise<void> {
  const row = await getStore(db, storeId);
  if (row === undefined) return;
  const store = git.store(storeId, row.format, row.packsVersion);
  if (!(await hasSetAside(store, scope))) return;
  const tipOids = [...(await refTargets(db, store))];
  if (!(await lacksObjectsOf(store, { tipOids, knownOids: await readCollectedRefs(store), signal }))) return;
  await restoreSetAside(store, scope);
  git.shared.log.warn({ storeId }, "objects that a ref needs were set aside by a collection and are restored");
}

export const restoreSetAsideOf = (deps: SetAsideDeps, { payload, signal }: JobRun<OfStore>): Promise<void> =>
  restoreNeeded(deps, payload.storeId, "complete", signal);

/** Deletes objects that were set aside {@link keptMs} ago or earlier, unless a ref needs them. */
export async function dropSetAside(deps: SetAsideDeps & { readonly clock: Clock }, { payload: { storeId }, tx, signal }: JobRun<OfStore>): Promise<void> {
  const row = await getStore(deps.db, storeId);
  const latestMs = await findSetAsideMs(deps.db, storeId);
  if (row === undefined || latestMs === undefined || latestMs === null) return;
  await restoreNeeded(deps, storeId, "complete", signal);
  const store = deps.git.store(storeId, row.format, row.packsVersion);
  await deleteSetAside(store, deps.clock.now() - keptMs);
  if (await hasSetAside(store, "all")) await tx((handle) => enqueueDropSetAside(handle, storeId, latestMs));
  else await tx((handle) => endSetAside(handle, storeId, latestMs));
}
