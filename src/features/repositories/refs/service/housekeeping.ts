import type { Db, Tx } from "../../../../db/db.ts";
import {
  collectGarbage,
  countFiles,
  inspectStore,
  needsBitmap,
  needsRepack,
  repackNew,
  writeBitmap,
  writeCommitGraph,
} from "../../../../git/maintain/housekeeping.ts";
import { hasSetAside } from "../../../../git/maintain/set-aside.ts";
import { type GitStores, needPacks } from "../../../../git/stores.ts";
import { defineJob, enqueue } from "../../../../jobs/job.ts";
import type { JobRun } from "../../../../jobs/queue.ts";
import { branchPrefix, type RefView } from "../model.ts";
import { beginSetAside, endSetAside, listUncollectedStores, listUntidyStores, markCollected, markTidied, type UntidyStore } from "../store/stores.ts";
import type { RefListings } from "./listings.ts";
import { refTargets } from "./read.ts";
import { enqueueDropSetAside, restoreNeeded } from "./set-aside.ts";
import { withAllRefs, withListedRefs } from "./snapshots.ts";
import { getStore } from "./stores.ts";

/** Joins the small packs of recent writes and extends the commit-graph. The cost is proportional to the new objects. */
export const tidyStoreJob = defineJob<UntidyStore>("refs.tidy");
/** Repacks a store into one pack and sets aside objects unreachable for two weeks. The cost is proportional to the size of the store. */
export const collectStoreJob = defineJob<{ readonly storeId: number }>("refs.collect");

export interface HousekeepingDeps {
  readonly db: Db;
  readonly git: GitStores;
}

const batch = 200;

/** A write of this size is tidied immediately, because clones and history walks usually follow. */
const muchBytes = 1024 * 1024;

/** After this many writes a store is tidied immediately: each one adds a pack, and every git process opens all packs. */
const manyWrites = 100;

/** Enqueues tidying after a large write, and after many writes. */
export async function enqueueTidyAfter(
  tx: Tx,
  storeId: number,
  { addedBytes, writes }: { readonly addedBytes: number /** Writes since the store was last tidied. */; readonly writes: number },
): Promise<void> {
  if (addedBytes < muchBytes && (writes === 0 || writes % manyWrites !== 0)) return;
  await enqueue(tx, tidyStoreJob, { id: storeId, writes }, { dedupeKey: `${storeId}` });
}

/** Fewer writes are not worth a process; they wait for further ones, or for the collection. */
const leastWrites = 8;

/** Enqueues a job for every store with many writes since it was last tidied. Runs on a schedule of minutes. */
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

/** Enqueues a job for every store whose refs have moved since its last collection. Runs on a daily schedule. */
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

/**
 * Reads kept listings, because a large store is tidied after a few writes. Packs with a bitmap are combined with others only when a new bitmap is
 * due, so that its walk of the whole store is not repeated after each few writes.
 */
export async function tidyStore(deps: HousekeepingDeps & { readonly refListings: RefListings }, { payload, tx, signal }: JobRun<UntidyStore>): Promise<void> {
  const row = await getStore(deps.db, payload.id);
  if (row === undefined) return;
  const store = deps.git.store(row.id, row.format, row.packsVersion);
  const { packs } = deps.git.shared;
  const repack = (keepsBitmap: boolean): Promise<void> =>
    packs.replacing(store, async () => void (await withListedRefs(deps, store, (shown) => repackNew(shown, { signal, keepsBitmap }))));
  if (needsRepack(await countFiles(store))) await repack(true);
  const listing = await deps.refListings.read(store.id, "all");
  if (listing === undefined) return;
  needPacks(store, listing.packsVersion);
  await writeCommitGraph(store, branchTips(listing.slices.flat()), signal);
  let shape = await inspectStore(store);
  if (needsBitmap(shape)) {
    const hasBitmap = shape.unmappedBytes < shape.packBytes;
    if (hasBitmap) await repack(false);
    await withListedRefs(deps, store, (shown) => writeBitmap(shown, signal));
    shape = await inspectStore(store);
  }
  await tx((handle) => markTidied(handle, payload, shape.sizeBytes));
}

export async function collectStore(deps: HousekeepingDeps, { payload, tx, signal }: JobRun<{ readonly storeId: number }>): Promise<void> {
  const row = await getStore(deps.db, payload.storeId);
  if (row === undefined) return;
  const store = deps.git.store(row.id, row.format, row.packsVersion);
  // From here on every move of a ref asks for a check. Refs that moved before are in the snapshot of the collection.
  const sinceMs = await tx((handle) => beginSetAside(handle, row.id));
  if (sinceMs === undefined) return;
  await restoreNeeded(deps, row.id, "all", signal);
  const collected = { tipOids: [...(await refTargets(deps.db, store, branchPrefix))], sinceMs };
  await deps.git.shared.packs.replacing(store, () => collectGarbage(store, (work) => withAllRefs(deps, store, work), collected, { signal }));
  await restoreNeeded(deps, row.id, "all", signal);
  const { sizeBytes } = await inspectStore(store);
  const isEmpty = !(await hasSetAside(store, "all"));
  await tx(async (handle) => {
    await markCollected(handle, row.id, row.refsVersion, sizeBytes);
    if (isEmpty) await endSetAside(handle, row.id, sinceMs);
    else await enqueueDropSetAside(handle, row.id, sinceMs);
  });
}

/** Branch tips are enough for the commit-graph, because tags usually point to the same commits. */
const branchTips = (refs: readonly Pick<RefView, "name" | "oid">[]): string[] => [
  ...new Set(refs.flatMap(({ name, oid }) => (name.startsWith(branchPrefix) ? [oid] : []))),
];
