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

/** The part of a chain above one of its commits, or above the commit that follows it; undefined if the oid is neither. */
export function chainAbove(chain: Chain, oid: Oid): readonly Commit[] | undefined {
  if (oid === chain.nextOid) return chain.commits;
  const index = chain.commits.findIndex((commit) => commit.oid === oid);
  return index === -1 ? undefined : chain.commits.slice(0, index);
}

/** The tree of a directory at a commit; undefined if the directory does not exist. */
export async function findDirectory(store: GitStore, commit: Commit, path: string): Promise<Oid | undefined> {
  const entry = await findEntry(store, commit.treeOid, path);
  return entry?.mode === "040000" ? entry.oid : undefined;
}

export interface LastCommitsOfEntriesQuery {
  /** A part of a chain, from the tip downwards. */
  readonly commits: readonly Commit[];
  readonly directory: string;
  /** The requested entries at the tip. */
  readonly entries: readonly TreeEntry[];
  /** The known last commits at the parent of the last commit; empty if the chain is the complete history. */
  readonly known: ReadonlyMap<string, Oid>;
}

/**
 * The commit that last changed each entry: the first one, from the tip downwards, whose parent has a different entry or none.
 * Entries that no commit of the part changed take their value from `known`.
 */
export async function findLastCommitsOfEntries(store: GitStore, { commits, directory, entries, known }: LastCommitsOfEntriesQuery): Promise<Map<string, Oid>> {
  const found = new Map<string, Oid>();
  let open = entries;
  for (const commit of commits) {
    if (open.length === 0) break;
    const parentOid = commit.parentOids[0];
    const parent = parentOid === undefined ? undefined : await readCommit(store, parentOid);
    const [treeOid, formerOid] = await Promise.all([findDirectory(store, commit, directory), parent && findDirectory(store, parent, directory)]);
    if (treeOid === formerOid) continue;
    const former = new Map(((formerOid && (await readTree(store, formerOid))) || []).map((entry) => [entry.name, entry]));
    open = open.filter(({ name, mode, oid }) => {
      const before = former.get(name);
      if (before?.oid === oid && before.mode === mode) return true;
      found.set(name, commit.oid);
      return false;
    });
  }
  for (const { name } of open) {
    const oid = known.get(name);
    if (oid !== undefined) found.set(name, oid);
  }
  return found;
}
