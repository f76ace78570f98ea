import { setImmediate } from "node:timers/promises";
import { findEntry, readCommit, readTree } from "../objects/objects.ts";
import { type GitStore, isPresent } from "../stores.ts";
import type { Oid, TreeEntry } from "../types.ts";
import { type GraphFile, type PathBits, pathBits } from "./graph-file.ts";

export interface GraphSearch {
  readonly tipOid: Oid;
  /** Empty for the root. */
  readonly directory: string;
  /** The entries to find, as they are at the tip. */
  readonly entries: readonly TreeEntry[];
  /** On the monotonic clock. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Tests of filters for one search. For more entries or a longer history, one walk of git for all of them costs less. */
const maxTests = 4_000_000;
/** Entries of the largest directory that is compared with its parents'. */
const maxListed = 1_000;
/** Commits above the graph, which are read one after another. */
const maxNewCommits = 1_000;
/** About a millisecond. */
const testsPerTurn = 20_000;

/**
 * The last commit of each entry of a directory, as `lastCommits` returns it, without a process: most commits do not change an entry, which the
 * filters of the commit-graph know. Entries that cannot be found this way are left out, all of them if the store has no graph.
 */
export async function searchGraph(store: GitStore, search: GraphSearch): Promise<ReadonlyMap<string, Oid>> {
  if (search.entries.length > maxListed || store.isQuarantine || !(await isPresent(store))) return new Map();
  const entries = search.entries.flatMap((entry) => {
    const bits = pathBits(search.directory === "" ? entry.name : `${search.directory}/${entry.name}`);
    return bits === undefined ? [] : [{ entry, bits }];
  });
  if (entries.length === 0 || !(await isSmall(store, search))) return new Map();
  // The search takes the place of a process: many at the same time would delay all other requests.
  const release = await store.runner.limiters.read.acquire(store.key, search.signal);
  try {
    return await store.shared.graphs.use(store, async (graph) => {
      if (graph === undefined || entries.length * graph.count > maxTests) return new Map();
      return trace(store, graph, search, entries);
    });
  } catch (error) {
    // A damaged graph. Git reports it.
    if (error instanceof RangeError) return new Map();
    throw error;
  } finally {
    release();
  }
}

async function isSmall(store: GitStore, { tipOid, directory }: GraphSearch): Promise<boolean> {
  const tip = await readCommit(store, tipOid);
  let treeOid = tip?.treeOid;
  for (const name of ["", ...(directory === "" ? [] : directory.split("/"))]) {
    const entry = treeOid === undefined ? undefined : await findEntry(store, treeOid, name);
    const entries = entry && (await readTree(store, entry.oid));
    if (entry === undefined || entries === undefined || entries.length > maxListed) return false;
    treeOid = entry.oid;
  }
  return true;
}

interface Sought {
  readonly entry: TreeEntry;
  readonly bits: PathBits;
}

/** A commit, and the entries that are the same there as at the tip. */
interface Stop {
  readonly oid: Oid;
  /** Undefined above the graph. */
  readonly position: number | undefined;
  readonly sought: readonly Sought[];
}

async function trace(store: GitStore, graph: GraphFile, { tipOid, directory, deadlineMs, signal }: GraphSearch, entries: readonly Sought[]) {
  const found = new Map<string, Oid>();
  const directoryBits = directory === "" ? undefined : pathBits(directory);
  const stops: Stop[] = [{ oid: tipOid, position: graph.find(tipOid), sought: entries }];
  let newCommits = 0;

  /** The first commit that may change one of the entries, following first parents. Undefined if the search has to end. */
  const descend = async (start: number, sought: readonly Sought[]): Promise<number | undefined> => {
    const paths = sought.map(({ bits }) => bits);
    let at = graph.descend({ position: start, directory: directoryBits, paths, maxTests: testsPerTurn });
    // A damaged graph can have cycles.
    for (let tests = at.tests; !at.isThere; tests += at.tests) {
      await setImmediate();
      if (tests > 2 * maxTests || signal?.aborted || performance.now() > deadlineMs) return undefined;
      at = graph.descend({ position: at.position, directory: directoryBits, paths, maxTests: testsPerTurn });
    }
    return at.position;
  };

  /** Passes each entry on to the first parent that has it. @returns false if a parent cannot be read, which might have them all */
  const settle = async ({ oid, sought }: Stop, treeOid: Oid, parents: readonly Parent[]): Promise<boolean> => {
    const left = new Set(sought);
    for (const parent of parents) {
      const listed = parent.treeOid === treeOid ? "the same" : await readListed(store, parent, directory);
      if (listed === undefined) return false;
      const passedOn = [...left].filter(({ entry }) => listed === "the same" || listed.get(entry.name) === contentOf(entry));
      for (const one of passedOn) left.delete(one);
      if (passedOn.length > 0) stops.push({ oid: parent.oid, position: parent.position, sought: passedOn });
      if (left.size === 0) return true;
    }
    for (const { entry } of left) found.set(entry.name, oid);
    return true;
  };

  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) {
    if (stop.position === undefined) {
      newCommits += 1;
      const commit = newCommits > maxNewCommits || signal?.aborted ? undefined : await readCommit(store, stop.oid);
      if (commit === undefined) return found;
      const parents: Parent[] = [];
      for (const oid of commit.parentOids) {
        const position = graph.find(oid);
        const treeOid = position === undefined ? (await readCommit(store, oid))?.treeOid : graph.treeAt(position);
        if (treeOid === undefined) return found;
        parents.push({ oid, position, treeOid });
      }
      if (!(await settle(stop, commit.treeOid, parents))) return found;
    } else {
      const position = await descend(stop.position, stop.sought);
      if (position === undefined) return found;
      const parents = graph.parentsAt(position).map((parent): Parent => ({ oid: graph.oidAt(parent), position: parent, treeOid: graph.treeAt(parent) }));
      if (!(await settle({ ...stop, oid: graph.oidAt(position) }, graph.treeAt(position), parents))) return found;
    }
  }
  return found;
}

interface Parent {
  readonly oid: Oid;
  readonly position: number | undefined;
  readonly treeOid: Oid;
}

const contentOf = ({ mode, oid }: TreeEntry): string => `${mode} ${oid}`;

async function readListed(store: GitStore, { treeOid }: Parent, directory: string): Promise<ReadonlyMap<string, string> | undefined> {
  const entry = await findEntry(store, treeOid, directory);
  if (entry?.mode !== "040000") return new Map();
  const entries = await readTree(store, entry.oid);
  return entries && new Map(entries.map((listed) => [listed.name, contentOf(listed)]));
}
