import type { Db, Tx } from "../../../../db/db.ts";
import { projectRefs } from "../../../../git/maintain/project-refs.ts";
import { countSliced } from "../../../../git/send/ref-slices.ts";
import type { GitStores } from "../../../../git/stores.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import type { StoreView } from "../model.ts";
import { findStore, markAllUnprojected, markProjected, type ShownRefs } from "../store/stores.ts";
import type { RefListings } from "./listings.ts";

export interface ProjectionDeps {
  readonly db: Db;
  readonly git: GitStores;
  readonly refListings: RefListings;
}

/**
 * Writes the refs of a store to disk and records their version. Repeats while the refs move concurrently, so that of several concurrent
 * projections the last write is correct.
 * @param tx the transaction that records the version: a job passes its own, so that an expired worker records nothing
 * @throws ForgeError `unavailable` for a storage error
 */
export async function projectStore(deps: ProjectionDeps, storeId: number, tx: JobRun<unknown>["tx"] = (work) => deps.db.tx(work)): Promise<void> {
  for (let store = await findStore(deps.db, storeId); store !== undefined; ) {
    const shown = await showRefs(deps, store);
    if (shown === undefined) return;
    const isBehind = store.projectedVersion < shown.version;
    if (isBehind && (await tx((handle) => markProjected(handle, [shown]))).has(storeId)) return;
    // Another projection has recorded this version or a newer one, or the refs have moved.
    store = await findStore(deps.db, storeId);
    if (store?.refsVersion === shown.version) return;
  }
}

/** A store whose refs were written to disk. */
export interface Projected extends ShownRefs {
  readonly refs: number;
}

/**
 * Projects many stores and records their versions in one transaction, which costs more than the writes for one store.
 * @param onFailure called for each store that fails; the others continue
 */
export async function projectStores(
  deps: ProjectionDeps,
  storeIds: readonly number[],
  onFailure: (error: unknown, storeId: number) => void,
): Promise<readonly Projected[]> {
  const each = async <T>(ids: readonly number[], work: (storeId: number) => Promise<T>): Promise<T[]> => {
    const results: T[] = [];
    for (const id of ids) {
      try {
        results.push(await work(id));
      } catch (error) {
        onFailure(error, id);
      }
    }
    return results;
  };
  const shown = await each(storeIds, async (storeId) => {
    const store = await findStore(deps.db, storeId);
    return store && showRefs(deps, store);
  });
  const present = shown.filter((one) => one !== undefined);
  const done = await deps.db.tx((tx) => markProjected(tx, present));
  await each(
    present.map(({ id }) => id).filter((id) => !done.has(id)),
    (storeId) => projectStore(deps, storeId),
  );
  return present;
}

async function showRefs({ git, refListings }: ProjectionDeps, { id, format }: StoreView): Promise<Projected | undefined> {
  const listing = await refListings.read(id, "all");
  if (listing === undefined) return undefined;
  await projectRefs(git.store(id, format), listing);
  return { id, version: listing.version, refs: countSliced(listing.slices) };
}

/** Makes the next start project all stores again, for disks whose refs may not be those that the database has recorded. */
export const outdateProjections = (tx: Tx): Promise<void> => markAllUnprojected(tx);
