import type { Config } from "../../../../config/config.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Db } from "../../../../db/db.ts";
import type { GitStores } from "../../../../git/stores.ts";
import { defineJob, enqueue } from "../../../../jobs/job.ts";
import { keptUnusedMs } from "../../../../storage/unused-files.ts";
import { deleteStore } from "../../refs/service/stores.ts";
import { listDeletedBefore, listOrphanedStores, purgeRepository } from "../store/delete.ts";
import { deleteUnusedTopics } from "../store/topics.ts";

const dayMs = 86_400_000;
/** Creations in progress are younger. */
const orphanAgeMs = dayMs;
const batch = 200;

export interface SweepDeps {
  readonly db: Db;
  readonly git: GitStores;
  readonly clock: Clock;
  readonly config: Pick<Config, "repositories">;
}

/** Deletes the objects of a store from the disk, days after its row was deleted, so that a backup of the rows before is complete. */
export const removeStoreJob = defineJob<{ readonly storeId: number }>("repos.remove-store");

export const removeStore = ({ git }: Pick<SweepDeps, "git">, storeId: number): Promise<void> => git.remove(storeId);

/**
 * Removes deleted repositories after the retention period, and stores without a repository. The row of a store is deleted first, together
 * with enqueuing the job for its files: after a crash at any step, either the store is unchanged or the job will run.
 * @returns the numbers of removed repositories and stores
 */
export async function sweepRepositories(deps: SweepDeps): Promise<{ readonly repositories: number; readonly stores: number }> {
  const { db, clock, config } = deps;
  const deletedBeforeMs = clock.now() - config.repositories.keep_deleted_days * dayMs;
  let repositories = 0;
  for (let ids = await listDeletedBefore(db, deletedBeforeMs, batch); ids.length > 0; ids = await listDeletedBefore(db, deletedBeforeMs, batch)) {
    for (const id of ids) await db.tx((tx) => purgeRepository(tx, id));
    repositories += ids.length;
  }
  await db.tx(deleteUnusedTopics);
  return { repositories, stores: await sweepStores(deps) };
}

async function sweepStores({ db, clock }: SweepDeps): Promise<number> {
  const createdBeforeMs = clock.now() - orphanAgeMs;
  let stores = 0;
  for (let afterId = 0; ; ) {
    const ids = await listOrphanedStores(db, createdBeforeMs, afterId, batch);
    for (const storeId of ids) {
      await db.tx(async (tx) => {
        await deleteStore(tx, storeId);
        await enqueue(tx, removeStoreJob, { storeId }, { runAtMs: clock.now() + keptUnusedMs });
      });
    }
    stores += ids.length;
    if (ids.length < batch) return stores;
    afterId = ids.at(-1) ?? afterId;
  }
}
