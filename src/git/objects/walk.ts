import type { GitStore } from "../stores.ts";
import type { Commit, Oid } from "../types.ts";
import { readCommit, readCommits } from "./objects.ts";

/** Reads history commit by commit through the cache and the pool: first pages and short distances need no process. */

export interface WalkPage {
  readonly skip: number;
  readonly limit: number;
  /** The walk gives up after reading this many commits. */
  readonly maxReads?: number;
}

const defaultMaxReads = 1000;

/**
 * A page of a tip's history in the order of `git log`: newest commit date first, a commit never before its first child.
 * Undefined if the page lies deeper than `maxReads`, or a commit is missing: then git has to walk (`log.ts`).
 */
export async function walkCommits(store: GitStore, tipOid: Oid, page: WalkPage): Promise<Commit[] | undefined> {
  const queue = createCommitQueue();
  const seen = new Set<Oid>([tipOid]);
  const maxReads = page.maxReads ?? defaultMaxReads;
  if (page.skip + page.limit > maxReads) return undefined;
  const tip = await readCommit(store, tipOid);
  if (tip === undefined) return undefined;
  queue.push(tip);
  const commits: Commit[] = [];
  for (let position = 0; commits.length < page.limit; position++) {
    const commit = queue.pop();
    if (commit === undefined) break;
    if (position >= page.skip) commits.push(commit);
    if (commits.length === page.limit) break;
    const parentOids = commit.parentOids.filter((oid) => !seen.has(oid));
    for (const oid of parentOids) seen.add(oid);
    if (seen.size > maxReads) return undefined;
    for (const parent of await readCommits(store, parentOids)) {
      if (parent === undefined) return undefined;
      queue.push(parent);
    }
  }
  return commits;
}

/**
 * Whether a commit is an ancestor within `maxReads` commits. False only means not found at this distance:
 * commit dates prove nothing, so `isAncestor` of `log.ts` has to decide then.
 */
export async function isNearAncestor(store: GitStore, ancestorOid: Oid, tipOid: Oid, maxReads = 64): Promise<boolean> {
  const queue = createCommitQueue();
  const seen = new Set<Oid>([tipOid]);
  if (ancestorOid === tipOid) return true;
  for (let commit = await readCommit(store, tipOid); commit !== undefined; commit = queue.pop()) {
    const parentOids = commit.parentOids.filter((oid) => !seen.has(oid));
    if (parentOids.includes(ancestorOid)) return true;
    for (const oid of parentOids) seen.add(oid);
    if (seen.size > maxReads) return false;
    for (const parent of await readCommits(store, parentOids)) if (parent !== undefined) queue.push(parent);
  }
  return false;
}

/**
 * The commits of `tipOid` that the older ones do not reach, newest first, such as those of a push. Reads at most `maxReads` commits; if the history is larger or a
 * commit is missing, returns the commits found.
 */
export async function walkBetween(store: GitStore, tipOid: Oid, oldOids: Oid | readonly Oid[], maxReads = 100): Promise<Commit[]> {
  const queue = createCommitQueue();
  const old = new Set<Oid>([oldOids].flat());
  const seen = new Set<Oid>();
  const found: Commit[] = [];
  /** Queued commits that are not known to be reachable from the older ones. */
  const open = new Set<Oid>();
  const add = async (oids: readonly Oid[]): Promise<void> => {
    // A merge can have thousands of parents.
    const fresh = oids.filter((oid) => !seen.has(oid)).slice(0, maxReads + 1 - seen.size);
    for (const oid of fresh) seen.add(oid);
    for (const commit of await readCommits(store, fresh)) {
      if (commit === undefined) continue;
      if (!old.has(commit.oid)) open.add(commit.oid);
      queue.push(commit);
    }
  };
  await add([tipOid, ...old]);
  while (open.size > 0 && seen.size <= maxReads) {
    const commit = queue.pop();
    if (commit === undefined) break;
    open.delete(commit.oid);
    if (old.has(commit.oid)) {
      for (const oid of commit.parentOids) {
        old.add(oid);
        open.delete(oid);
      }
    } else found.push(commit);
    await add(commit.parentOids);
  }
  return found.filter(({ oid }) => !old.has(oid));
}

interface CommitQueue {
  push(commit: Commit): void;
  /** Removes the commit with the latest commit date; of equal dates the one pushed first. */
  pop(): Commit | undefined;
}

/** A binary heap in git's order, including its rule for equal dates. */
export function createCommitQueue(): CommitQueue {
  const heap: { commit: Commit; turn: number }[] = [];
  let turns = 0;

  const before = (a: number, b: number): boolean => {
    const one = heap[a];
    const other = heap[b];
    if (one === undefined || other === undefined) return false;
    const difference = one.commit.committer.seconds - other.commit.committer.seconds;
    return difference === 0 ? one.turn < other.turn : difference > 0;
  };
  const swap = (a: number, b: number): void => {
    const one = heap[a];
    const other = heap[b];
    if (one === undefined || other === undefined) return;
    heap[a] = other;
    heap[b] = one;
  };

  return {
    push(commit) {
      heap.push({ commit, turn: turns });
      turns += 1;
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!before(at, parent)) break;
        swap(at, parent);
        at = parent;
      }
    },
    pop() {
      swap(0, heap.length - 1);
      const top = heap.pop();
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        const first = before(left + 1, left) ? left + 1 : left;
        if (!before(first, at)) break;
        swap(at, first);
        at = first;
      }
      return top?.commit;
    },
  };
}
