import type { Db } from "../../../../db/db.ts";
import { projectRefs } from "../../../../git/maintain/project-refs.ts";
import type { GitStores } from "../../../../git/stores.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import type { StoreView } from "../model.ts";
import { listRefs } from "../store/refs.ts";
import { findStore, markProjected, type ShownRefs } from "../store/stores.ts";

export interface ProjectionDeps {
  readonly db: Db;
  readonly git: GitStores;
}

/**
 * Writes the refs of a store to disk and notes which version that was. It is written again while the refs have moved meanwhile,
 * so that of several who project one store at once the last to write leaves what is true.
 * @param tx the transaction in which the note is made: a job gives its own, so that a worker that was taken for dead notes nothing
 * @throws ForgeError `unavailable` when the storage refuses
 */
export async function projectStore(deps: ProjectionDeps, storeId: number, tx: JobRun<unknown>["tx"] = (work) => deps.db.tx(work)): Promise<void> {
  for (let store = await findStore(deps.db, storeId); store !== undefined; ) {
    const shown = await showRefs(deps, store);
    const isBehind = store.projectedVersion < shown.version;
    if (isBehind && (await tx((handle) => markProjected(handle, [shown]))).has(storeId)) return;
    // Somebody else has noted this version or a newer one, or the refs have moved on.
    store = await findStore(deps.db, storeId);
    if (store?.refsVersion === shown.version) return;
  }
}

/**
 * The same for many stores, with one note for all: a transaction costs more than what is written for one of them.
 * @param onFailure told of each store that fails; the others go on
 */
export async function projectStores(deps: ProjectionDeps, storeIds: readonly number[], onFailure: (error: unknown, storeId: number) => void): Promise<void> {
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
}

/** The version was read before the refs: what the disk shows is that or newer, so the note never says too much. */
async function showRefs({ db, git }: ProjectionDeps, { id, format, headRef, refsVersion }: StoreView): Promise<ShownRefs> {
  await projectRefs(git.store(id, format), { headRef, refs: await listRefs(db, id, "refs/") });
  return { id, version: refsVersion };
}
