import { decodeName, encodeName } from "../objects/names.ts";
import { findEntry, readCommit } from "../objects/objects.ts";
import { createFieldSplitter } from "../run/nul-fields.ts";
import { isResourceLimit } from "../run/resource-limit.ts";
import { streamGit } from "../run/runner.ts";
import type { GitStore } from "../stores.ts";
import type { Oid, TreeEntry } from "../types.ts";
import { searchGraph } from "./graph-search.ts";
import { isWalkable, listCommitOids, walkInput } from "./log.ts";

/** The last commit of each directory entry. */
export interface LastCommits {
  readonly byName: ReadonlyMap<string, Oid>;
  /** False if the timeout was reached before all entries were found. */
  readonly complete: boolean;
}

export interface LastCommitsQuery {
  readonly tipOid: Oid;
  /** Empty for the root. */
  readonly directory: string;
  /** The directory's entries at the tip. */
  readonly entries: readonly TreeEntry[];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const defaultTimeoutMs = 10_000;
/** Maximum number of entries that are looked up one by one. */
export const maxSingleWalks = 20;
/** Number of these walks that run at the same time, which leaves processes of the store to others. */
const concurrentWalks = 2;
/**
 * Once the shared walk has compared this many commits and few entries are left, these are looked up one by one: git skips the commits that
 * do not change a path with the filters of the commit-graph, but the shared walk reads the tree of every commit.
 */
const sharedWalkCommits = 2_000;

/**
 * For each entry, the commit that `git log -1 <entry>` returns, found in the commit-graph without a process. For entries that are not found
 * there, one walk over the directory's history and at most {@link maxSingleWalks} walks for single entries. From the tip down, an entry belongs to the first commit where it differs from every
 * parent; otherwise it is passed on to the first parent that has it unchanged.
 */
export async function lastCommits(store: GitStore, query: LastCommitsQuery): Promise<LastCommits> {
  const prefix = query.directory === "" ? Buffer.alloc(0) : encodeName(`${query.directory}/`);
  const deadline = performance.now() + (query.timeoutMs ?? defaultTimeoutMs);
  const known = await searchGraph(store, { ...query, deadlineMs: deadline });
  const tracer = createLastCommitSearch(query.entries.flatMap(({ name }) => (known.has(name) ? [] : [name])));
  if (tracer.left() === 0) return { byName: known, complete: true };
  await searchDirectory(store, query, prefix, tracer);
  const single = await walkSingly(store, query, tracer.remaining(), deadline);
  for (const [name, oid] of single) tracer.settle(name, oid);
  return { byName: new Map([...known, ...tracer.found]), complete: tracer.left() === 0 };
}

/** As {@link lastCommits}, with at most one walk for each of the first {@link maxSingleWalks} entries. */
export async function lastCommitsSingly(store: GitStore, query: LastCommitsQuery): Promise<LastCommits> {
  const deadline = performance.now() + (query.timeoutMs ?? defaultTimeoutMs);
  const known = await searchGraph(store, { ...query, deadlineMs: deadline });
  const names = query.entries.flatMap(({ name }) => (known.has(name) ? [] : [name]));
  const byName = new Map([...known, ...(await walkSingly(store, query, names, deadline))]);
  return { byName, complete: byName.size === query.entries.length };
}

async function walkSingly(store: GitStore, query: LastCommitsQuery, names: readonly string[], deadline: number): Promise<ReadonlyMap<string, Oid>> {
  const found = new Map<string, Oid>();
  const open = names.slice(0, maxSingleWalks).values();
  const walk = async (): Promise<void> => {
    for (const name of open) {
      if (performance.now() > deadline) return;
      const path = query.directory === "" ? name : `${query.directory}/${name}`;
      const oid = isWalkable(path) ? await walkPath(store, query.tipOid, path, query.signal) : undefined;
      if (oid !== undefined) found.set(name, oid);
    }
  };
  await Promise.all(Array.from({ length: concurrentWalks }, walk));
  return found;
}

async function searchDirectory(store: GitStore, query: LastCommitsQuery, prefix: Buffer, tracer: LastCommitSearch): Promise<void> {
  const { input, paths } = walkInput({ tipOids: [query.tipOid], path: query.directory });
  const { stdout } = await streamGit(
    store,
    {
      name: "log",
      // `--parents` replaces the parents by the next commits that touch the directory, `-m` compares a merge with each of them, and the raw
      // format names the compared one.
      flags: {
        "--pretty": "raw",
        "--parents": true,
        "--raw": true,
        "-z": true,
        "-m": true,
        "-t": true,
        "--no-abbrev": true,
        "--no-renames": true,
        "--no-notes": true,
        "--stdin": true,
      },
      ...(paths && { paths }),
    },
    { stdin: input, signal: query.signal, timeoutMs: query.timeoutMs ?? defaultTimeoutMs },
  );
  const splitter = createFieldSplitter();
  let pathFollows = false;
  try {
    for await (const chunk of stdout) {
      for (const field of splitter.push(chunk)) {
        if (pathFollows) {
          pathFollows = false;
          if (isChild(field, prefix)) tracer.changed(() => decodeName(field.subarray(prefix.length)));
        } else if (field.length > 0) {
          if (field[0] !== colon) tracer.compare(parseComparison(field));
          // The first record is on the last line of the commit text. All its other lines begin with a word or a blank.
          pathFollows = field[field.lastIndexOf(newline) + 1] === colon;
        }
      }
      if (tracer.left() === 0 || (tracer.examined() >= sharedWalkCommits && tracer.left() <= maxSingleWalks)) return;
    }
    tracer.end();
  } catch (error) {
    if (!isResourceLimit(error)) throw error;
  }
}

const newline = 0x0a;
const colon = 0x3a;
const slash = 0x2f;

function isChild(path: Buffer, prefix: Buffer): boolean {
  return path.length > prefix.length && path.subarray(0, prefix.length).equals(prefix) && !path.includes(slash, prefix.length);
}

/** A commit compared with one of the next commits in the directory's history, or with none. */
interface Comparison {
  readonly oid: Oid;
  readonly nextOids: readonly Oid[];
  readonly againstOid: Oid;
}

/** `commit <oid> <next>... (from <next>)`, the latter only if there are several; then the commit's headers and message. */
function parseComparison(field: Buffer): Comparison {
  const line = field.toString("latin1", 0, field.indexOf(newline));
  const [, oid = "", next = "", from] = /^commit ([0-9a-f]+)((?: [0-9a-f]+)*)(?: \(from ([0-9a-f]+)\))?$/.exec(line) ?? [];
  const nextOids = next.split(" ").slice(1);
  return { oid, nextOids, againstOid: from ?? nextOids[0] ?? nothing };
}

/** Placeholder for a missing next commit. */
const nothing = "";

interface LastCommitSearch {
  readonly found: ReadonlyMap<string, Oid>;
  /** Number of entries not found yet. */
  left(): number;
  /** Number of commits compared. */
  examined(): number;
  /** Starts a comparison. Comparisons of one commit are consecutive; those without a difference are left out. */
  compare(comparison: Comparison): void;
  /** Records that an entry differs in this comparison. */
  changed(name: () => string): void;
  end(): void;
  remaining(): string[];
  settle(name: string, oid: Oid): void;
}

function createLastCommitSearch(names: readonly string[]): LastCommitSearch {
  const found = new Map<string, Oid>();
  const remaining = new Set(names);
  /** Unresolved entries by the commit to examine for them next. */
  const pending = new Map<Oid, Set<string>>();
  let current: Comparison | undefined;
  let examined = 0;
  /** Entries that the current commit is examined for, and its changes against each of the next commits. */
  let live: Set<string> | undefined = new Set(names);
  let changes = new Map<Oid, Set<string>>();
  let latest = new Set<string>();

  function settle(name: string, oid: Oid): void {
    if (remaining.delete(name)) found.set(name, oid);
  }

  function finish(commit: Comparison): void {
    for (const name of live ?? []) {
      const nextOids = commit.nextOids.length === 0 ? [nothing] : commit.nextOids;
      const heir = nextOids.find((oid) => changes.get(oid)?.has(name) !== true);
      if (heir === undefined) settle(name, commit.oid);
      else passOn(heir, name);
    }
  }

  function passOn(oid: Oid, name: string): void {
    const waiting = pending.get(oid);
    if (waiting === undefined) pending.set(oid, new Set([name]));
    else waiting.add(name);
  }

  return {
    found,
    left: () => remaining.size,
    examined: () => examined,
    compare(comparison) {
      if (current?.oid !== comparison.oid) examined += 1;
      if (current !== undefined && current.oid !== comparison.oid) {
        finish(current);
        live = pending.get(comparison.oid);
        pending.delete(comparison.oid);
        changes = new Map();
      }
      current = comparison;
      latest = new Set();
      changes.set(comparison.againstOid, latest);
    },
    changed(name) {
      if (live !== undefined) latest.add(name());
    },
    end() {
      if (current !== undefined) finish(current);
    },
    remaining: () => [...remaining],
    settle,
  };
}

/** The newest commit in the history of a path, as `git log -1 <path>` finds it; undefined when no commit has it. */
export async function lastCommitOfPath(store: GitStore, tipOid: Oid, path: string, signal?: AbortSignal): Promise<Oid | undefined> {
  const tip = await readCommit(store, tipOid);
  const entry = tip && path !== "" ? await findEntry(store, tip.treeOid, path) : undefined;
  const directory = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const deadlineMs = performance.now() + defaultTimeoutMs;
  const found = entry && (await searchGraph(store, { tipOid, directory, entries: [entry], deadlineMs, signal }));
  return (entry && found?.get(entry.name)) ?? walkPath(store, tipOid, path, signal);
}

async function walkPath(store: GitStore, tipOid: Oid, path: string, signal: AbortSignal | undefined): Promise<Oid | undefined> {
  return (await listCommitOids(store, { tipOids: [tipOid], path, limit: 1, signal }))[0];
}
