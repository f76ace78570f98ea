import type { Clock } from "../../../../core/clock.ts";
import type { Log } from "../../../../core/log.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { PackCache } from "../../../../git/send/pack-cache.ts";
import type { GitStores } from "../../../../git/stores.ts";
import { defineJob, enqueueAll } from "../../../../jobs/job.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import type { StoreProblem } from "../model.ts";
import { listUncheckedStores, pageProblems, replaceProblems } from "../store/problems.ts";
import { findProblems } from "./check.ts";
import { getStore } from "./stores.ts";

/** Reads every object of a store and records problems. The cost is proportional to the size of the store. */
export const checkStoreJob = defineJob<{ readonly storeId: number }>("refs.check");

export interface HealthDeps {
  readonly db: Db;
  readonly git: GitStores;
  readonly packCache: Pick<PackCache, "dropGroup">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Interval at which every store is read completely, to detect damage on disk. */
const checkedEveryMs = 7 * 86_400_000;
const batch = 200;

/** Enqueues a job for every store that is due for a check, never checked ones first. Runs on a daily schedule. */
export async function checkForgottenStores({ db, clock }: Pick<HealthDeps, "db" | "clock">): Promise<void> {
  const beforeMs = clock.now() - checkedEveryMs;
  for (let after = { checkedMs: -1, id: 0 }; ; ) {
    const stores = await listUncheckedStores(db, beforeMs, after, batch);
    await db.tx((tx) =>
      enqueueAll(
        tx,
        checkStoreJob,
        stores.map(({ id }) => ({ payload: { storeId: id }, dedupeKey: `${id}` })),
      ),
    );
    const last = stores.at(-1);
    if (last === undefined || stores.length < batch) return;
    after = last;
  }
}

export async function checkStore(deps: HealthDeps, { payload: { storeId }, tx, signal }: JobRun<{ readonly storeId: number }>): Promise<void> {
  let problems = await findProblems(deps, storeId, signal);
  // Packs that are repacked during the check can look like missing ones. Real problems are found a second time.
  if (problems.length > 0) problems = await findProblems(deps, storeId, signal);
  signal.throwIfAborted();
  if (problems.length > 0) deps.log.error({ storeId, problems: problems.slice(0, 10), count: problems.length }, "a store of objects is damaged");
  const { hadProblems } = await tx(async (handle) => {
    const former = await replaceProblems(handle, storeId, problems);
    if (problems.length > 0 && !former.hadProblems) await recordEvent(handle, "store.damaged", { storeId, problems: problems.length });
    return former;
  });
  // Git copies parts of packs without reading them, so cached responses from a damaged pack can be damaged, too.
  if (problems.length > 0 || hadProblems) {
    const store = await getStore(deps.db, storeId);
    if (store !== undefined) deps.packCache.dropGroup(deps.git.store(storeId, store.format).key);
  }
}

/** The problems found by the latest checks, by store. Two statements. */
export const listStoreProblems = (deps: { readonly db: Reader }, page: Page): Promise<Paged<StoreProblem>> => pageProblems(deps.db, page);
