import { browseHistory, pageHistory } from "../../../../git/history/history-page.ts";
import { type HistoryPage, listCommitOids } from "../../../../git/history/log.ts";
import { countPacked, packOids, slicePacked, walkHistory } from "../../../../git/history/packed-history.ts";
import { deriveOnce } from "../../../../git/objects/derived-result.ts";
import { encodeName } from "../../../../git/objects/names.ts";
import type { CachedObjects } from "../../../../git/objects/object-cache.ts";
import { findEntry, readCommit } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { BrowsedPage, Commit, CountedPage, Oid, PackedOids } from "../../../../git/types.ts";
import { findInChain, oidsOfChain, readChain } from "../chains.ts";
import { listPathCounts, loadPathCounts, savePathCount } from "../store.ts";
import { type DerivedDeps, saveDerived } from "./derived.ts";

const keptPathBytes = 1_000;

/**
 * A page of a filtered history and the total number of commits. The page follows from the query, so it is cached in memory.
 * To count the commits of a path, git walks the entire history once. Its commits are then kept in memory, and their number is stored by
 * tip; both continue from the tip before a push.
 */
export function countedPage(deps: DerivedDeps, store: GitStore, query: HistoryPage): Promise<CountedPage> {
  return keepPage(store, query, "countedPage", (signal) => readCounted(deps, store, { ...query, signal }));
}

/** As {@link countedPage}, but git walks only to the end of the page if the total is not known. */
export function browsedPage(deps: DerivedDeps, store: GitStore, query: HistoryPage): Promise<BrowsedPage> {
  return keepPage(store, query, "browsedPage", async (signal) => {
    const path = plainPath(query);
    const known = path && (await findHistory(deps, store, path));
    const page = known === undefined ? await browseHistory(store, { ...query, signal }) : await pageOf(deps, store, { ...query, signal }, known);
    // Only the total shows whether the page is beyond the end.
    return page.oids.length > 0 || page.total !== undefined ? page : readCounted(deps, store, { ...query, signal });
  });
}

function keepPage<K extends "countedPage" | "browsedPage">(
  store: GitStore,
  { signal, ...input }: HistoryPage,
  kind: K,
  read: (signal: AbortSignal) => Promise<CachedObjects[K]>,
): Promise<CachedObjects[K]> {
  const id = JSON.stringify(input);
  return deriveOnce(store, { kind, id, signal, make: read, sizeOf: (page) => 60 * page.oids.length });
}

async function readCounted(deps: DerivedDeps, store: GitStore, query: HistoryPage): Promise<CountedPage> {
  const path = plainPath(query);
  if (path !== undefined) return pageOf(deps, store, query, (await findHistory(deps, store, path)) ?? (await walkPath(store, query, path)));
  const { oids, total } = await pageHistory(store, query);
  return { oids, total, hasNext: hasNext(query, total) };
}

const hasNext = ({ skip = 0, limit }: HistoryPage, total: number): boolean => skip + limit < total;

/** A path at a commit, without further filters. */
interface PlainPath {
  readonly tipOid: Oid;
  readonly path: string;
}

function plainPath({ tipOids, path = "", notOids, sinceMs, untilMs, firstParent }: HistoryPage): PlainPath | undefined {
  const [tipOid] = tipOids;
  const isFiltered = [notOids, sinceMs, untilMs, firstParent].some((filter) => filter !== undefined);
  const isPlain = !isFiltered && encodeName(path).length <= keptPathBytes;
  return isPlain && tipOid !== undefined ? { tipOid, path } : undefined;
}

/** The known part of the commits that changed a path. */
interface KnownHistory extends PlainPath {
  readonly count: number;
  /** Undefined if only the number is known. */
  readonly oids: PackedOids | undefined;
  /** The number is stored for this tip. */
  readonly isStored: boolean;
}

async function pageOf(deps: DerivedDeps, store: GitStore, query: HistoryPage, { tipOid, path, count, oids, isStored }: KnownHistory): Promise<CountedPage> {
  const { skip = 0, limit } = query;
  // Any path can be requested, so only those that exist are stored.
  if (count > 0 && !isStored) await saveDerived(deps, (tx) => savePathCount(tx, store.id, { tipOid, path, count }));
  const onPage = oids !== undefined ? slicePacked(oids, store.format, { skip, limit }) : skip < count ? await listCommitOids(store, query) : [];
  return { oids: onPage, total: count, hasNext: hasNext(query, count) };
}

async function walkPath(store: GitStore, { signal }: HistoryPage, { tipOid, path }: PlainPath): Promise<KnownHistory> {
  return keepHistory(store, { tipOid, path }, await walkHistory(store, { tipOids: [tipOid], path, signal }));
}

const historyId = ({ tipOid, path }: PlainPath): string => `${tipOid} ${path}`;

function keepHistory(store: GitStore, at: PlainPath, oids: PackedOids): KnownHistory {
  store.shared.cache.set(store.key, "pathHistory", historyId(at), oids, oids.length);
  return { ...at, count: countPacked(oids, store.format), oids, isStored: false };
}

/** The commits of a path as kept or counted before, or as they continue from an ancestor if the history since then has no merge. */
async function findHistory(deps: DerivedDeps, store: GitStore, at: PlainPath): Promise<KnownHistory | undefined> {
  const { tipOid, path } = at;
  const { cache } = store.shared;
  const kept = (oid: Oid): PackedOids | undefined => cache.get(store.key, "pathHistory", historyId({ tipOid: oid, path }));
  const whole = kept(tipOid);
  if (whole !== undefined) return { ...at, count: countPacked(whole, store.format), oids: whole, isStored: true };
  const stored = (await loadPathCounts(deps.db, store.id, path, [tipOid])).get(tipOid);
  if (stored !== undefined) return { ...at, count: stored, oids: undefined, isStored: true };
  const counts = await countsOfAncestors(deps, store, at);
  if (counts.size === 0) return undefined;
  const below = await findInChain(store, tipOid, (oid) => {
    const before = kept(oid);
    const count = before === undefined ? counts.get(oid) : countPacked(before, store.format);
    return count === undefined ? undefined : { before, count };
  });
  if (below === undefined) return undefined;
  const { before, count } = below.found;
  const isChanged = await Promise.all(below.above.map((commit) => changesPath(store, commit, path)));
  const changes = below.above.filter((_, index) => isChanged[index]).map((commit) => commit.oid);
  if (before !== undefined) return keepHistory(store, at, Buffer.concat([packOids(changes), before]));
  return { ...at, count: count + changes.length, oids: undefined, isStored: false };
}

/** With more stored counts of a path, those of the ancestors are looked up. */
const consideredCounts = 100;

/** The stored counts of a path, at least those of the ancestors from which the history can continue. */
async function countsOfAncestors(deps: DerivedDeps, store: GitStore, { tipOid, path }: PlainPath): Promise<ReadonlyMap<Oid, number>> {
  // Mostly there are none, and no commit has to be read.
  const counts = await listPathCounts(deps.db, store.id, path, consideredCounts);
  if (counts.size < consideredCounts) return counts;
  return loadPathCounts(deps.db, store.id, path, oidsOfChain(await readChain(store, tipOid)));
}

/** Whether a commit with one parent changes a file or directory. */
async function changesPath(store: GitStore, { treeOid, parentOids: [parentOid] }: Commit, path: string): Promise<boolean> {
  const parent = parentOid === undefined ? undefined : await readCommit(store, parentOid);
  const [after, before] = await Promise.all([findEntry(store, treeOid, path), parent && findEntry(store, parent.treeOid, path)]);
  return after?.oid !== before?.oid || after?.mode !== before?.mode;
}
