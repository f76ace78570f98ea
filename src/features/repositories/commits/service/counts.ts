import { countCommits } from "../../../../git/history/log.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { chainAbove, readChain } from "../chains.ts";
import { loadCommitCounts, saveCommitCount } from "../store.ts";
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

async function continueCount(deps: DerivedDeps, store: GitStore, tipOid: Oid): Promise<number | undefined> {
  const chain = await readChain(store, tipOid);
  if (chain.isWhole) return chain.commits.length;
  const oids = [...chain.commits.map(({ oid }) => oid), ...(chain.nextOid === undefined ? [] : [chain.nextOid])];
  const counts = await loadCommitCounts(deps.db, store.id, oids);
  for (const oid of oids) {
    const count = counts.get(oid);
    const above = chainAbove(chain, oid);
    if (count !== undefined && above !== undefined) return count + above.length;
  }
  return undefined;
}
