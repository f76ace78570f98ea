import type { Db, Tx } from "../../../../db/db.ts";
import { collectGarbage, inspectStore, needsBitmap, needsRepack, repackNew, writeBitmap, writeCommitGraph } from "../../../../git/maintain/housekeeping.ts";
import type { GitStores } from "../../../../git/stores.ts";
import { defineJob, enqueue } from "../../../../jobs/job.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import { listUncollectedStores, listUntidyStores, markCollected, markTidied, type UntidyStore } from "../store/stores.ts";
import { allRefs } from "./read.ts";
import { withAllRefs } from "./snapshots.ts";
import { getStore } from "./stores.ts";

/** Joins what recent writes left in small pieces and extends the commit-graph: its cost follows what is new. */
export const tidyStoreJob = defineJob<UntidyStore>("refs.tidy");
/** Packs a whole store into one and drops what nothing has reached for two weeks: its cost follows the store. */
export const collectStoreJob = defineJob<{ readonly storeId: number }>("refs.collect");

export interface HousekeepingDeps {
  readonly db: Db;
  readonly git: GitStores;
}

const batch = 200;

/** What brought so much is tidied at once: it is cloned and walked next. */
const muchBytes = 1024 * 1024;

/** Has a store tidied to which a move has brought much. */
export async function enqueueTidyAfter(tx: Tx, storeId: number, addedBytes: number): Promise<void> {
  if (addedBytes < muchBytes) return;
  await enqueue(tx, tidyStoreJob, { id: storeId, writes: 1 }, { dedupeKey: `${storeId}` });
}

/** Fewer writes than this leave nothing worth a process: they wait for more, or for the collection. */
const leastWrites = 8;

/** Makes a job for every store that was written to often since it was last tidied. Meant for a schedule of minutes. */
export async function tidyWrittenStores({ db }: HousekeepingDeps): Promise<void> {
  for (let afterId = 0; ; ) {
    const stores = await listUntidyStores(db, leastWrites, afterId, batch);
    await db.tx(async (tx) => {
      for (const store of stores) await enqueue(tx, tidyStoreJob, store, { dedupeKey: `${store.id}` });
    });
    if (stores.length < batch) return;
    afterId = stores.at(-1)?.id ?? afterId;
  }
}

/** Makes a job for every store whose refs have moved since its last collection. Meant for a schedule of days. */
export async function collectMovedStores({ db }: HousekeepingDeps): Promise<void> {
  for (let afterId = 0; ; ) {
    const ids = await listUncollectedStores(db, afterId, batch);
    await db.tx(async (tx) => {
      for (const storeId of ids) await enqueue(tx, collectStoreJob, { storeId }, { dedupeKey: `${storeId}` });
    });
    if (ids.length < batch) return;
    afterId = ids.at(-1) ?? afterId;
  }
}

export async function tidyStore(deps: HousekeepingDeps, { payload, tx, signal }: JobRun<UntidyStore>): Promise<void> {
  const row = await getStore(deps.db, payload.id);
  if (row === undefined) return;
  const store = deps.git.store(row.id, row.format);
  if (needsRepack(await inspectStore(store))) await withAllRefs(deps, store, (shown) => repackNew(shown, { signal }));
  await writeCommitGraph(store, await commitTips(deps, row.id), signal);
  if (needsBitmap(await inspectStore(store))) await withAllRefs(deps, store, (shown) => writeBitmap(shown, signal));
  const { sizeBytes } = await inspectStore(store);
  await tx((handle) => markTidied(handle, payload, sizeBytes));
}

export async function collectStore(deps: HousekeepingDeps, { payload, tx, signal }: JobRun<{ readonly storeId: number }>): Promise<void> {
  const row = await getStore(deps.db, payload.storeId);
  if (row === undefined) return;
  const store = deps.git.store(row.id, row.format);
  await collectGarbage(store, (work) => withAllRefs(deps, store, work), await commitTips(deps, row.id), { signal });
  const { sizeBytes } = await inspectStore(store);
  await tx((handle) => markCollected(handle, row.id, row.refsVersion, sizeBytes));
}

/** What the branches point to: the graph is of commits, and tags lead to the same ones. */
const commitTips = async ({ db }: HousekeepingDeps, storeId: number): Promise<string[]> => [
  ...new Set((await allRefs(db, storeId, "refs/heads/")).map(({ oid }) => oid)),
];
