import { findEntry, readCommit, readTree } from "../../../git/objects/objects.ts";
import type { GitStore } from "../../../git/stores.ts";
import type { Commit, Oid, TreeEntry } from "../../../git/types.ts";

/**
 * History without merges, read through the cache. Along a line of commits with one parent each, what git finds by walking
 * (last commits, counts, what one commit has and another lacks) follows from the line alone, so the everyday cases need no process.
 */

/** Commits from a tip down, each the only parent of the one before. */
export interface Chain {
  readonly commits: readonly Commit[];
  /** The parent of the last commit: where the chain goes on. Undefined behind a first commit, and before a merge. */
  readonly nextOid: Oid | undefined;
  /** The last commit is the first of all: the chain is the whole history of the tip. */
  readonly isWhole: boolean;
}

/** So many commits are read at most: as many as a push or an afternoon of edits brings. */
const longestChain = 50;

/** The chain ends before a merge, at the first commit, and where a commit cannot be read. */
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

/** The part of a chain above one of its commits, or above the commit that it goes on with; undefined when it is neither. */
export function chainAbove(chain: Chain, oid: Oid): readonly Commit[] | undefined {
  if (oid === chain.nextOid) return chain.commits;
  const index = chain.commits.findIndex((commit) => commit.oid === oid);
  return index === -1 ? undefined : chain.commits.slice(0, index);
}

/** A directory at a commit: its tree, or undefined where there is no such directory. */
export async function findDirectory(store: GitStore, commit: Commit, path: string): Promise<Oid | undefined> {
  const entry = await findEntry(store, commit.treeOid, path);
  return entry?.mode === "040000" ? entry.oid : undefined;
}

export interface LastCommitsOfEntriesQuery {
  /** A piece of a chain, from the tip down. */
  readonly commits: readonly Commit[];
  readonly directory: string;
  /** The entries asked for, as they are at the tip. */
  readonly entries: readonly TreeEntry[];
  /** What is known for the parent of the last commit; nothing for a chain that is the whole history. */
  readonly known: ReadonlyMap<string, Oid>;
}

/**
 * For each entry the commit that made it what it is: the first one, from the tip down, whose parent has it otherwise or not at all;
 * what no commit of the piece changed has the answer that its end has.
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
