import { countCommits } from "../../../../git/history/log.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { findInChain, oidsOfChain, readChain } from "../chains.ts";
import { listCommitCounts, loadCommitCounts, saveCommitCount } from "../store.ts";
import { type DerivedDeps, saveDerived } from "./derived.ts";

/**
 * Number of commits reachable from a commit, including itself. Stored counts take one statement. The first time, no process is needed
 * if the history since a commit with a stored count has no merge, as after most pushes and every edit.
 */
export const commitCount = (deps: DerivedDeps, store: GitStore, tipOid: Oid, signal?: AbortSignal): Promise<number> =>
  store.shared.flights.run(`commit count ${store.key} ${tipOid}`, signal, (shared) => countOnce(deps, store, tipOid, shared));

async function countOnce(deps: DerivedDeps, store: GitStore, tipOid: Oid, signal: AbortSignal): Promise<number> {
  const known = (await loadCommitCounts(deps.db, store.id, [tipOid])).get(tipOid);
  if (known !== undefined) return known;
  const count = (await continueCount(deps, store, tipOid)) ?? (await countCommits(store, { tipOids: [tipOid], signal }));
  await saveDerived(deps, (tx) => saveCommitCount(tx, store.id, tipOid, count));
  return count;
}

/** With more stored counts, those of the ancestors are looked up. */
const consideredCounts = 100;

async function continueCount(deps: DerivedDeps, store: GitStore, tipOid: Oid): Promise<number | undefined> {
  const stored = await listCommitCounts(deps.db, store.id, consideredCounts);
  const isComplete = stored.size < consideredCounts;
  const count = isComplete ? await countFrom(store, tipOid, stored) : undefined;
  if (count !== undefined) return count;
  const chain = await readChain(store, tipOid);
  if (chain.isWhole) return chain.commits.length;
  return isComplete ? undefined : countFrom(store, tipOid, await loadCommitCounts(deps.db, store.id, oidsOfChain(chain)));
}

/** The count of the nearest commit of the chain that has one, and the commits above it. */
async function countFrom(store: GitStore, tipOid: Oid, counts: ReadonlyMap<Oid, number>): Promise<number | undefined> {
  if (counts.size === 0) return undefined;
  const below = await findInChain(store, tipOid, (oid) => counts.get(oid));
  return below && below.found + below.above.length;
}
