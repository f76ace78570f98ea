import type { Db, Tx } from "../../../db/db.ts";
import { projectRefs } from "../../../git/project-refs.ts";
import type { GitStores } from "../../../git/stores.ts";
import { defineJob, enqueue } from "../../../jobs/job.ts";
import type { JobRun } from "../../../jobs/queue.ts";
import { listRefs } from "../store/refs.ts";
import { findStore, listStoresBehind, markProjected } from "../store/stores.ts";

/**
 * The refs on disk follow the database. Nothing in the server reads them for a fact; git processes that walk all refs, housekeeping,
 * and whoever looks into the directory do.
 */
export const projectRefsJob = defineJob<{ readonly storeId: number }>("refs.project");

export interface ProjectionDeps {
  readonly db: Db;
  readonly git: GitStores;
}

/** Has a worker bring the disk up to the database after the commit. One waiting job a store is enough: it takes what it finds. */
export const enqueueProjection = (tx: Tx, storeId: number): Promise<void> => enqueue(tx, projectRefsJob, { storeId }, { dedupeKey: String(storeId) });

/**
 * Writes the refs of a store to disk and notes which version that was. It is written again while the refs have moved meanwhile,
 * so that of several who project one store at once the last to write leaves what is true.
 * @param tx the transaction in which the note is made: the job's, so that a worker that was taken for dead notes nothing
 * @throws ForgeError `unavailable` when the storage refuses
 */
export async function projectStore({ db, git }: ProjectionDeps, storeId: number, tx: JobRun<unknown>["tx"] = (work) => db.tx(work)): Promise<void> {
  for (let store = await findStore(db, storeId); store !== undefined; ) {
    // The version is read before the refs: what the disk shows is that or newer, so the note never says too much.
    const { refsVersion, projectedVersion } = store;
    const refs = await listRefs(db, storeId, "refs/");
    await projectRefs(git.store(storeId, store.format), { headRef: store.headRef, refs });
    if (projectedVersion < refsVersion) await tx((handle) => markProjected(handle, storeId, refsVersion));
    store = await findStore(db, storeId);
    if (store?.refsVersion === refsVersion) return;
  }
}

const batch = 500;

/** Has every store projected whose disk is behind: at boot, because a job that was put aside is never tried again by itself. @returns how many */
export async function projectStoresBehind({ db }: { readonly db: Db }): Promise<number> {
  let total = 0;
  for (let afterId = 0; ; ) {
    const ids = await listStoresBehind(db, afterId, batch);
    if (ids.length > 0) {
      await db.tx(async (tx) => {
        for (const id of ids) await enqueueProjection(tx, id);
      });
    }
    total += ids.length;
    if (ids.length < batch) return total;
    afterId = ids.at(-1) ?? afterId;
  }
}
