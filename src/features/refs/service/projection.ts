import type { Db } from "../../../db/db.ts";
import { projectRefs } from "../../../git/project-refs.ts";
import type { GitStores } from "../../../git/stores.ts";
import type { JobRun } from "../../../jobs/queue.ts";
import { listRefs } from "../store/refs.ts";
import { findStore, markProjected } from "../store/stores.ts";

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
export async function projectStore({ db, git }: ProjectionDeps, storeId: number, tx: JobRun<unknown>["tx"] = (work) => db.tx(work)): Promise<void> {
  for (let store = await findStore(db, storeId); store !== undefined; ) {
    // The version is read before the refs: what the disk shows is that or newer, so the note never says too much.
    const { refsVersion, projectedVersion } = store;
    const refs = await listRefs(db, storeId, "refs/");
    await projectRefs(git.store(storeId, store.format), { headRef: store.headRef, refs });
    const presentVersion = projectedVersion < refsVersion ? await tx((handle) => markProjected(handle, storeId, refsVersion)) : undefined;
    if (presentVersion === refsVersion) return;
    // Somebody else has noted this version or a newer one, or the refs have moved on.
    store = await findStore(db, storeId);
    if (store?.refsVersion === refsVersion) return;
  }
}
