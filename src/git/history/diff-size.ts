import { readCommit, readTree } from "../objects/objects.ts";
import type { GitStore } from "../stores.ts";
import type { Commit, Oid, TreeEntry } from "../types.ts";

/**
 * Estimates the size of a tree diff without git. Git lists all paths in memory before it writes the first one, and a few objects can expand
 * to billions of paths. Each pair of trees is read once here, however often it occurs.
 */

export interface DiffBounds {
  /** Paths that differ, including directories. */
  readonly paths: number;
  /** Distinct pairs of directories. */
  readonly pairs: number;
  /** Directory nesting depth. */
  readonly levels: number;
}

const defaultBounds: DiffBounds = { paths: 100_000, pairs: 20_000, levels: 500 };

/** Whether the diff of a commit against its first parent is small enough to list. False if a tree is missing. */
export async function isListable(store: GitStore, commit: Pick<Commit, "treeOid" | "parentOids">, bounds: DiffBounds = defaultBounds): Promise<boolean> {
  const [parentOid] = commit.parentOids;
  const parent = parentOid === undefined ? undefined : await readCommit(store, parentOid);
  const root: Pair = { from: parent?.treeOid, to: commit.treeOid };
  const pairs = await readPairs(store, root, bounds);
  return pairs !== undefined && countPaths(pairs, keyOf(root)) <= bounds.paths;
}

/** A directory before and after; undefined if it does not exist on that side. */
interface Pair {
  readonly from: Oid | undefined;
  readonly to: Oid | undefined;
}

interface Comparison {
  /** Entries that differ. */
  readonly paths: number;
  /** Differing directories among them, with repetitions. */
  readonly below: readonly Pair[];
}

const keyOf = ({ from = "", to = "" }: Pair): string => `${from}:${to}`;

/** Reads every distinct pair once, level by level. Undefined if there are too many. */
async function readPairs(store: GitStore, root: Pair, bounds: DiffBounds): Promise<ReadonlyMap<string, Comparison> | undefined> {
  const compared = new Map<string, Comparison>();
  let level = new Map([[keyOf(root), root]]);
  for (let depth = 0; level.size > 0; depth++) {
    if (depth === bounds.levels || compared.size + level.size > bounds.pairs) return undefined;
    const comparisons = await Promise.all([...level.values()].map((pair) => comparePair(store, pair)));
    const next = new Map<string, Pair>();
    for (const [index, key] of [...level.keys()].entries()) {
      const comparison = comparisons[index];
      if (comparison === undefined || comparison.paths > bounds.paths) return undefined;
      compared.set(key, comparison);
      for (const pair of comparison.below) next.set(keyOf(pair), pair);
    }
    for (const key of [...next.keys()]) if (compared.has(key)) next.delete(key);
    level = next;
  }
  return compared;
}

async function comparePair(store: GitStore, { from, to }: Pair): Promise<Comparison | undefined> {
  if (from === to) return { paths: 0, below: [] };
  const [before, after] = await Promise.all([from, to].map((oid) => (oid === undefined ? [] : readTree(store, oid))));
  if (before === undefined || after === undefined) return undefined;
  const former = new Map(before.map((entry) => [entry.name, entry]));
  let paths = 0;
  const below: Pair[] = [];
  const differ = (one: TreeEntry | undefined, other: TreeEntry | undefined): void => {
    paths += 1;
    const pair = { from: directoryOf(one), to: directoryOf(other) };
    if (pair.from !== undefined || pair.to !== undefined) below.push(pair);
  };
  for (const entry of after) {
    const old = former.get(entry.name);
    former.delete(entry.name);
    if (old?.oid !== entry.oid || old.mode !== entry.mode) differ(old, entry);
  }
  for (const entry of former.values()) differ(entry, undefined);
  return { paths, below };
}

const directoryOf = (entry: TreeEntry | undefined): Oid | undefined => (entry?.mode === "040000" ? entry.oid : undefined);

/** Counts all paths below a pair, with repetitions. */
function countPaths(compared: ReadonlyMap<string, Comparison>, rootKey: string): number {
  const counts = new Map<string, number>();
  // An explicit stack, because trees can nest deeper than the call stack allows.
  const stack = [rootKey];
  for (let key = stack.at(-1); key !== undefined; key = stack.at(-1)) {
    const { paths, below } = compared.get(key) ?? { paths: 0, below: [] };
    const open = counts.has(key) ? [] : below.map(keyOf).filter((next) => !counts.has(next));
    if (open.length > 0) stack.push(...open);
    else {
      stack.pop();
      counts.set(
        key,
        below.reduce((sum, pair) => sum + (counts.get(keyOf(pair)) ?? 0), paths),
      );
    }
  }
  return counts.get(rootKey) ?? 0;
}
