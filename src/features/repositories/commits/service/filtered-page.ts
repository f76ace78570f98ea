import { type CountedOids, pageHistory } from "../../../../git/history/history-page.ts";
import { type HistoryPage, listCommitOids } from "../../../../git/history/log.ts";
import { encodeName } from "../../../../git/objects/names.ts";
import { findEntry, readCommit } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import { chainAbove, readChain } from "../chains.ts";
import { loadPathCounts, savePathCount } from "../store.ts";
import { type DerivedDeps, saveDerived } from "./derived.ts";

const keptPathBytes = 1_000;

/**
 * A page of a filtered history and the total number of commits. The page follows from the query, so it is cached in memory. The total of one
 * path is stored by tip: with it, git only walks to the end of the page. Otherwise git walks the entire history once.
 */
export function filteredPage(deps: DerivedDeps, store: GitStore, query: HistoryPage): Promise<CountedOids> {
  const { signal, ...input } = query;
  const id = JSON.stringify(input);
  const { cache, flights } = store.shared;
  return flights.run(`history page ${store.key} ${id}`, signal, async (shared) => {
    const known = cache.get(store.key, "historyPage", id);
    if (known !== undefined) return known;
    const page = await readPage(deps, store, { ...query, signal: shared });
    cache.set(store.key, "historyPage", id, page, 2 * id.length + 60 * page.oids.length);
    return page;
  });
}

async function readPage(deps: DerivedDeps, store: GitStore, query: HistoryPage): Promise<CountedOids> {
  const { tipOids, path = "", notOids, sinceMs, untilMs, skip = 0 } = query;
  const [tipOid] = tipOids;
  const isCounted = notOids === undefined && sinceMs === undefined && untilMs === undefined && encodeName(path).length <= keptPathBytes;
  if (!isCounted || tipOid === undefined) return pageHistory(store, query);
  const known = await findCount(deps, store, tipOid, path);
  const page =
    known === undefined ? await pageHistory(store, query) : { oids: skip >= known.count ? [] : await listCommitOids(store, query), total: known.count };
  // Any path can be requested, so only those that exist are stored.
  if (page.total > 0 && known?.isStored !== true) await saveDerived(deps, (tx) => savePathCount(tx, store.id, { tipOid, path, count: page.total }));
  return page;
}

interface KnownCount {
  readonly count: number;
  /** It is stored for this tip. Otherwise it follows from the count of an ancestor. */
  readonly isStored: boolean;
}

/** The stored number of commits, or one that continues from an ancestor if the history since then has no merge. */
async function findCount(deps: DerivedDeps, store: GitStore, tipOid: Oid, path: string): Promise<KnownCount | undefined> {
  const stored = (await loadPathCounts(deps.db, store.id, path, [tipOid])).get(tipOid);
  if (stored !== undefined) return { count: stored, isStored: true };
  const chain = await readChain(store, tipOid);
  const oids = [...chain.commits.map(({ oid }) => oid), ...(chain.nextOid === undefined ? [] : [chain.nextOid])];
  const counts = await loadPathCounts(deps.db, store.id, path, oids);
  for (const oid of oids) {
    const count = counts.get(oid);
    const above = chainAbove(chain, oid);
    if (count === undefined || above === undefined) continue;
    const isChanged = await Promise.all(above.map((commit) => changesPath(store, commit, path)));
    return { count: count + isChanged.filter(Boolean).length, isStored: false };
  }
  return undefined;
}

/** Whether a commit with one parent changes a file or directory. */
async function changesPath(store: GitStore, { treeOid, parentOids: [parentOid] }: Commit, path: string): Promise<boolean> {
  const parent = parentOid === undefined ? undefined : await readCommit(store, parentOid);
  const [after, before] = await Promise.all([findEntry(store, treeOid, path), parent && findEntry(store, parent.treeOid, path)]);
  return after?.oid !== before?.oid || after?.mode !== before?.mode;
}
