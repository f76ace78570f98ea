import { findEntry, readCommit, readTree } from "../../../git/objects/objects.ts";
import type { GitStore } from "../../../git/stores.ts";
import type { Commit, Oid, TreeEntry } from "../../../git/types.ts";

/**
 * History without merges, read through the object cache. Along commits with one parent each, the results of a git walk (last commits,
 * counts, commits that only one side has) can be computed from the chain alone, so common cases need no process.
 */

/** Commits from a tip downwards, each the only parent of the previous one. */
export interface Chain {
  readonly commits: readonly Commit[];
  /** The parent of the last commit, at which the history continues. Undefined after a root commit, and before a merge. */
  readonly nextOid: Oid | undefined;
  /** The last commit is a root: the chain is the complete history of the tip. */
  readonly isWhole: boolean;
}

/** Maximum number of commits read, enough for a push or a series of edits. */
const longestChain = 50;

/** Reads a chain. It ends before a merge, at a root commit, and at a commit that cannot be read. */
export async function readChain(store: GitStore, tipOid: Oid, maxCommits = longestChain): Promise<Chain> {
  const commits: Commit[] = [];
  let nextOid: Oid | undefined = tipOid;
  while (nextOid !== undefined && commits.length < maxCommits) {
    const commit: Commit | undefined = await readCommit(store, nextOid);
    if (commit === undefined || commit.parentOids.length > 1) return { commits, nextOid, isWhole: false };
    commits.push(commit);
    nextOid = commit.parentOids[0];
  }
  return { commits, nextOid, isWhole: nextOid === undefined && commits.length > 0 };
}

/** The ids of the commits of a chain, and of the one at which the history continues. */
export const oidsOfChain = ({ commits, nextOid }: Chain): Oid[] => [...commits.map(({ oid }) => oid), ...(nextOid === undefined ? [] : [nextOid])];

/** A value at a commit of a chain, or at the one that follows it, and the commits above. */
export interface FoundInChain<T> {
  readonly found: T;
  readonly above: readonly Commit[];
}

/** The first value along a chain. Commits are read one after another, and only those above the value. */
export async function findInChain<T>(store: GitStore, tipOid: Oid, find: (oid: Oid) => T | undefined): Promise<FoundInChain<T> | undefined> {
  const above: Commit[] = [];
  for (let oid: Oid | undefined = tipOid; oid !== undefined && above.length <= longestChain; oid = above.at(-1)?.parentOids[0]) {
    const found = find(oid);
    if (found !== undefined) return { found, above };
    const commit = await readCommit(store, oid);
    if (commit === undefined || commit.parentOids.length > 1) return undefined;
    above.push(commit);
  }
  return undefined;
}

/** The tree of a directory at a commit; undefined if the directory does not exist. */
export async function findDirectory(store: GitStore, commit: Commit, path: string): Promise<Oid | undefined> {
  const entry = await findEntry(store, commit.treeOid, path);
  return entry?.mode === "040000" ? entry.oid : undefined;
}

export interface UnchangedQuery {
  readonly tip: Commit;
  readonly directory: string;
  /** The tree of the directory at the tip. */
  readonly treeOid: Oid;
  /** Maximum number of commits read. */
  readonly maxCommits: number;
}

/**
 * The first value along the history of a tip, as long as the directory is the same. Where it is, its entries have the same last commits, because an
 * entry is passed on to the first parent that has it unchanged.
 */
export async function findUnchanged<T>(
  store: GitStore,
  { tip, directory, treeOid, maxCommits }: UnchangedQuery,
  find: (oid: Oid) => T | undefined | Promise<T | undefined>,
): Promise<{ readonly found: T; readonly distance: number } | undefined> {
  let commit: Commit | undefined = tip;
  for (let distance = 0; distance < maxCommits && commit !== undefined; distance += 1) {
    const found = await find(commit.oid);
    if (found !== undefined) return { found, distance };
    commit = await firstParentWith(store, commit, directory, treeOid);
  }
  return undefined;
}

async function firstParentWith(store: GitStore, { parentOids }: Commit, directory: string, treeOid: Oid): Promise<Commit | undefined> {
  for (const oid of parentOids) {
    const parent = await readCommit(store, oid);
    if (parent !== undefined && (await findDirectory(store, parent, directory)) === treeOid) return parent;
  }
  return undefined;
}

export interface TraceQuery {
  readonly tipOid: Oid;
  readonly directory: string;
  /** The requested entries at the tip. */
  readonly entries: readonly TreeEntry[];
  /** Maximum number of commits read. */
  readonly maxCommits: number;
  /** Loads the known last commits at a commit, where the trace ends; undefined if there are none. */
  findKnown(oid: Oid): Promise<ReadonlyMap<string, Oid> | undefined>;
}

/**
 * The commit that last changed each entry, traced from the tip through the object cache: an entry belongs to the first commit where it
 * differs from every parent; otherwise it is passed on to the first parent that has it unchanged. Newer commits are read first. Entries that
 * are not found within `maxCommits`, or not known where the trace ends, are left out.
 */
export async function traceLastCommits(store: GitStore, { tipOid, directory, entries, maxCommits, findKnown }: TraceQuery): Promise<Map<string, Oid>> {
  const found = new Map<string, Oid>();
  const open = new Map<Oid, { readonly commit: Commit; readonly entries: TreeEntry[] }>();
  const passOn = (commit: Commit, entry: TreeEntry): void => {
    const waiting = open.get(commit.oid);
    if (waiting === undefined) open.set(commit.oid, { commit, entries: [entry] });
    else waiting.entries.push(entry);
  };
  const tip = await readCommit(store, tipOid);
  if (tip !== undefined) for (const entry of entries) passOn(tip, entry);
  for (let count = 0; count < maxCommits && open.size > 0; count += 1) {
    const [next, ...others] = open.values();
    if (next === undefined) break;
    const newest = others.reduce((best, other) => (other.commit.committer.seconds > best.commit.committer.seconds ? other : best), next);
    const { commit } = newest;
    open.delete(commit.oid);
    const known = await findKnown(commit.oid);
    if (known !== undefined) {
      for (const { name } of newest.entries) {
        const oid = known.get(name);
        if (oid !== undefined) found.set(name, oid);
      }
      continue;
    }
    const treeOid = await findDirectory(store, commit, directory);
    const parents = await Promise.all(commit.parentOids.map((oid) => readParent(store, oid, directory, treeOid)));
    for (const entry of newest.entries) {
      const heir = parents.find((parent) => parent?.hasUnchanged(entry) === true);
      if (heir !== undefined) passOn(heir.commit, entry);
      // A parent that cannot be read might have the entry unchanged.
      else if (!parents.includes(undefined)) found.set(entry.name, commit.oid);
    }
  }
  return found;
}

async function readParent(store: GitStore, oid: Oid, directory: string, childTreeOid: Oid | undefined) {
  const commit = await readCommit(store, oid);
  if (commit === undefined) return undefined;
  const treeOid = await findDirectory(store, commit, directory);
  if (treeOid !== undefined && treeOid === childTreeOid) return { commit, hasUnchanged: () => true };
  const former = new Map(((treeOid && (await readTree(store, treeOid))) || []).map((entry) => [entry.name, entry]));
  const hasUnchanged = ({ name, mode, oid: entryOid }: TreeEntry): boolean => {
    const before = former.get(name);
    return before?.oid === entryOid && before.mode === mode;
  };
  return { commit, hasUnchanged };
}
