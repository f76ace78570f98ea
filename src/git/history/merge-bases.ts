import { readCommit, readCommits } from "../objects/objects.ts";
import { createCommitQueue } from "../objects/walk.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";

const one = 1;
const other = 2;
const stale = 4;

/**
 * The best common ancestors of two commits, if they are close: none for unrelated histories, several for criss-cross ones.
 * Paints the ancestors of both, newest commit date first, until only ancestors of a common one are left (git's commit-reach.c).
 * Undefined if that takes more than `maxReads` commits, or a commit is missing: the caller then has to ask git.
 */
export async function nearMergeBases(store: GitStore, oneOid: Oid, otherOid: Oid, maxReads = 512): Promise<readonly Oid[] | undefined> {
  if (oneOid === otherOid) return [oneOid];
  const paint = new Map<Oid, number>();
  const waiting = new Set<Oid>();
  const queue = createCommitQueue();
  const found = new Set<Oid>();
  const enter = async (oids: readonly Oid[], colour: number): Promise<boolean> => {
    const fresh = oids.filter((oid) => ((paint.get(oid) ?? 0) & colour) !== colour);
    for (const oid of fresh) paint.set(oid, (paint.get(oid) ?? 0) | colour);
    if (paint.size > maxReads) return false;
    for (const commit of await readCommits(store, fresh)) {
      if (commit === undefined) return false;
      if (waiting.has(commit.oid)) continue;
      waiting.add(commit.oid);
      queue.push(commit);
    }
    return true;
  };
  if ((await readCommit(store, oneOid)) === undefined || !(await enter([oneOid], one)) || !(await enter([otherOid], other))) return undefined;
  while ([...waiting].some((oid) => ((paint.get(oid) ?? 0) & stale) === 0)) {
    const commit = queue.pop();
    if (commit === undefined) break;
    waiting.delete(commit.oid);
    let colour = paint.get(commit.oid) ?? 0;
    if (colour === (one | other)) {
      found.add(commit.oid);
      colour |= stale;
    }
    if (!(await enter(commit.parentOids, colour))) return undefined;
  }
  return [...found].filter((oid) => ((paint.get(oid) ?? 0) & stale) === 0);
}
