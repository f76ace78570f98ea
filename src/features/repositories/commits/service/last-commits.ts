import type { Log } from "../../../../core/log.ts";
import type { Db } from "../../../../db/db.ts";
import { lastCommitsSingly, maxSingleWalks, lastCommits as searchDirectory, lastCommitOfPath as walkPath } from "../../../../git/history/last-commit.ts";
import { encodeName } from "../../../../git/objects/names.ts";
import { findEntry, readCommit, readTree } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid, TreeEntry } from "../../../../git/types.ts";
import { findDirectory, findUnchanged, readChain, traceLastCommits } from "../chains.ts";
import { listLastCommitsTips, loadLastCommits, saveLastCommits } from "../store.ts";
import { saveDerived } from "./derived.ts";

export interface LastCommitsDeps {
  readonly db: Db;
  readonly log: Log;
}

export interface LastCommits {
  readonly byName: ReadonlyMap<string, Oid>;
  /** False if the time limit was reached before all entries were found. */
  readonly complete: boolean;
}

/** A commit of a store from which history is viewed. */
interface Place {
  readonly store: GitStore;
  readonly tipOid: Oid;
  readonly signal?: AbortSignal | undefined;
}

/** Results of larger directories and longer paths are not stored. */
const keptEntries = 25_000;
const keptPathBytes = 1_000;
/** Commits read to reach a stored result, fewer in large directories. */
const tracedCommits = 1_000;
const tracedEntries = 1_000_000;
/** Stored results considered for one path. */
const consideredTips = 1_000;
/** Time for the missing entries of an incomplete stored result. */
const completionMs = 2_000;

/**
 * For each entry of a directory (empty for the root) the commit that `git log -1` returns, as seen from a commit of the store.
 * Stored by tip and directory: repeated requests take one statement. The first time, only the commits since a stored result of an ancestor
 * are read, without a process. An incomplete result is stored too, and later requests search for its missing entries.
 */
export async function lastCommits(deps: LastCommitsDeps, { store, tipOid, signal }: Place, directory: string): Promise<LastCommits> {
  const known = store.shared.cache.get(store.key, "lastCommits", cacheId(tipOid, directory));
  if (known !== undefined) return { byName: known, complete: true };
  const tip = await readCommit(store, tipOid);
  const treeOid = tip && (await findDirectory(store, tip, directory));
  const entries = (treeOid && (await readTree(store, treeOid))) || [];
  if (tip === undefined || treeOid === undefined || entries.length === 0) return { byName: new Map(), complete: true };
  const isCached = entries.length >= cachedEntries;
  const below =
    isCached &&
    (await findUnchanged(store, { tip, directory, treeOid, maxCommits: cachedCommits }, (oid) =>
      store.shared.cache.get(store.key, "lastCommits", cacheId(oid, directory)),
    ));
  if (below) {
    cacheResult(store, cacheId(tipOid, directory), below.found);
    return { byName: below.found, complete: true };
  }
  const result = await store.shared.flights.run(`last commits ${store.key} ${tipOid} ${directory}`, signal, (shared) =>
    findEntries(deps, { store, tipOid, signal: shared, directory, entries, path: directory, paths: [directory] }),
  );
  if (result.complete && isCached) cacheResult(store, cacheId(tipOid, directory), result.byName);
  return result;
}

/** Reading the stored result of a larger directory costs more than the rest of a request, so it is cached in memory. */
const cachedEntries = 1_000;
const cachedEntryBytes = 200;
/** Commits read to reach a cached result. */
const cachedCommits = 50;
const cacheId = (tipOid: Oid, directory: string): string => `${tipOid} ${directory}`;
const cacheResult = (store: GitStore, id: string, byName: ReadonlyMap<string, Oid>): void =>
  store.shared.cache.set(store.key, "lastCommits", id, byName, cachedEntryBytes * byName.size);

async function findEntries(deps: LastCommitsDeps, query: Query): Promise<LastCommits> {
  const { store, tipOid, signal, directory, entries } = query;
  const stored = await loadAt(deps, query, tipOid);
  const missing = (known: ReadonlyMap<string, Oid>): TreeEntry[] => entries.filter(({ name }) => !known.has(name));
  if (missing(stored).length === 0) return { byName: stored, complete: true };
  const { known, isNearlyStored } = stored.size > 0 ? { known: stored, isNearlyStored: false } : await traceKnown(deps, query);
  const open = missing(known);
  if (open.length === 0) return isNearlyStored ? { byName: known, complete: true } : keep(deps, query, known);
  // After a search the result of the tip is stored, so that what it did not find is not searched for again with every request.
  const isSearched = stored.size > 0 || (known.size > 0 && open.length <= maxSingleWalks);
  const place = { store, tipOid, directory, signal };
  const { byName } = isSearched
    ? await lastCommitsSingly(store, { ...place, entries: open, ...(stored.size > 0 && { timeoutMs: completionMs }) })
    : await searchDirectory(store, { ...place, entries });
  return keep(deps, query, new Map([...known, ...byName]));
}

/**
 * The commit that `git log -1` returns for a file or directory, as seen from a commit of the store; undefined if the path does not exist.
 * Uses the stored result of the parent directory, and is stored likewise.
 */
export async function lastCommitOfPath(deps: LastCommitsDeps, { store, tipOid, signal }: Place, path: string): Promise<Oid | undefined> {
  const tip = await readCommit(store, tipOid);
  const entry = tip && path !== "" ? await findEntry(store, tip.treeOid, path) : undefined;
  if (entry === undefined) return undefined;
  const directory = directoryOf(path);
  return store.shared.flights.run(`last commit ${store.key} ${tipOid} ${path}`, signal, (shared) =>
    findPath(deps, { store, tipOid, signal: shared, directory, entries: [entry], path: ownKey(path), paths: [directory, ownKey(path)] }, entry.name),
  );
}

async function findPath(deps: LastCommitsDeps, query: Query, name: string): Promise<Oid | undefined> {
  const stored = (await loadAt(deps, query, query.tipOid)).get(name);
  if (stored !== undefined) return stored;
  const oid = (await traceKnown(deps, query)).known.get(name) ?? (await walkPath(query.store, query.tipOid, query.path.slice(1), query.signal));
  if (oid !== undefined) await keep(deps, query, new Map([[name, oid]]));
  return oid;
}

/**
 * As {@link lastCommitOfPath}, for several paths; unknown paths are omitted. One statement for all stored results, and the statements of
 * {@link lastCommitOfPath} for each of the others.
 */
export async function lastCommitsOfPaths(deps: LastCommitsDeps, place: Place, paths: readonly string[]): Promise<ReadonlyMap<string, Oid>> {
  if (paths.length === 0) return new Map();
  const keys = [...new Set(paths.flatMap((path) => [directoryOf(path), ownKey(path)]))];
  const rows = new Map((await loadLastCommits(deps.db, place.store.id, [place.tipOid], keys)).map((row) => [row.path, row.byName]));
  const found = new Map<string, Oid>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const oid = rows.get(directoryOf(path))?.get(name) ?? rows.get(ownKey(path))?.get(name) ?? (await lastCommitOfPath(deps, place, path));
    if (oid !== undefined) found.set(path, oid);
  }
  return found;
}

const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The key under which a path's own result is stored. It never equals the key of a directory. */
const ownKey = (path: string): string => `/${path}`;

interface Query extends Place {
  readonly directory: string;
  readonly entries: readonly TreeEntry[];
  /** The key under which the result is stored. */
  readonly path: string;
  /** The keys under which a result can be found. */
  readonly paths: readonly string[];
}

/** The stored results at a commit. */
async function loadAt(deps: LastCommitsDeps, { store, paths }: Query, oid: Oid): Promise<ReadonlyMap<string, Oid>> {
  const rows = await loadLastCommits(deps.db, store.id, [oid], paths);
  return rows.length === 1 && rows[0] !== undefined ? rows[0].byName : new Map(rows.flatMap(({ byName }) => [...byName]));
}

interface Traced {
  readonly known: ReadonlyMap<string, Oid>;
  /** Whether the next tip can follow the result from a stored one just as easily: storing it again would cost more than the rest of a request. */
  readonly isNearlyStored: boolean;
}

/** The results that follow from the stored results of ancestors, or from a short history alone. */
async function traceKnown(deps: LastCommitsDeps, query: Query): Promise<Traced> {
  const { store, tipOid, directory, entries, paths } = query;
  const tips = new Set(await listLastCommitsTips(deps.db, store.id, paths, consideredTips));
  if (tips.size === 0 && !(await readChain(store, tipOid)).isWhole) return { known: new Map(), isNearlyStored: false };
  const findKnown = async (oid: Oid) => (tips.has(oid) ? loadAt(deps, query, oid) : undefined);
  if (entries.length >= cachedEntries) {
    const tip = await readCommit(store, tipOid);
    const treeOid = tip && (await findDirectory(store, tip, directory));
    const below = tip && treeOid ? await findUnchanged(store, { tip, directory, treeOid, maxCommits: tracedCommits }, findKnown) : undefined;
    if (below !== undefined) return { known: below.found, isNearlyStored: below.distance < tracedCommits / 2 };
  }
  const known = await traceLastCommits(store, {
    tipOid,
    directory,
    entries,
    maxCommits: Math.min(tracedCommits, Math.ceil(tracedEntries / entries.length)),
    findKnown,
  });
  return { known, isNearlyStored: false };
}

async function keep(deps: LastCommitsDeps, { store, tipOid, path, entries }: Query, byName: ReadonlyMap<string, Oid>): Promise<LastCommits> {
  if (byName.size > 0 && byName.size <= keptEntries && encodeName(path).length <= keptPathBytes) {
    await saveDerived(deps, (tx) => saveLastCommits(tx, store.id, path, { tipOid, byName }));
  }
  return { byName, complete: entries.every(({ name }) => byName.has(name)) };
}
