import type { Log } from "../../../../core/log.ts";
import type { Db } from "../../../../db/db.ts";
import { lastCommits as searchDirectory, lastCommitOfPath as walkPath } from "../../../../git/history/last-commit.ts";
import { encodeName } from "../../../../git/objects/names.ts";
import { findEntry, readCommit, readTree } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid, TreeEntry } from "../../../../git/types.ts";
import { chainAbove, findDirectory, findLastCommitsOfEntries, readChain } from "../chains.ts";
import { type LastCommitsRow, loadLastCommits, saveLastCommits } from "../store.ts";
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
const keptEntries = 5_000;
const keptPathBytes = 1_000;

/**
 * For each entry of a directory (empty for the root) the commit that `git log -1` returns, as seen from a commit of the store.
 * Stored by tip and directory: repeated requests take one statement. The first time, no process is needed if the history since a stored
 * result has no merge.
 */
export async function lastCommits(deps: LastCommitsDeps, { store, tipOid, signal }: Place, directory: string): Promise<LastCommits> {
  const tip = await readCommit(store, tipOid);
  const treeOid = tip && (await findDirectory(store, tip, directory));
  const entries = (treeOid && (await readTree(store, treeOid))) || [];
  if (entries.length === 0) return { byName: new Map(), complete: true };
  const query: Query = { store, tipOid, signal, directory, entries, path: directory, paths: [directory] };
  return (await findKnown(deps, query)) ?? keep(deps, query, await searchDirectory(store, { tipOid, directory, entries, signal }));
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
  const query: Query = { store, tipOid, signal, directory, entries: [entry], path: ownKey(path), paths: [directory, ownKey(path)] };
  const known = (await findKnown(deps, query))?.byName.get(entry.name);
  if (known !== undefined) return known;
  const oid = await walkPath(store, tipOid, path, signal);
  if (oid !== undefined) await keep(deps, query, { byName: new Map([[entry.name, oid]]), complete: true });
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

/** The stored result, or one traced from the nearest commit with a stored result, or from the root of a short history. */
async function findKnown(deps: LastCommitsDeps, query: Query): Promise<LastCommits | undefined> {
  const { store, tipOid, directory, entries } = query;
  const isEnough = ({ byName }: Pick<LastCommitsRow, "byName">): boolean => entries.every(({ name }) => byName.has(name));
  const exact = (await loadLastCommits(deps.db, store.id, [tipOid], query.paths)).find(isEnough);
  if (exact !== undefined) return { byName: exact.byName, complete: true };
  const chain = await readChain(store, tipOid);
  const oids = [...chain.commits.slice(1).map(({ oid }) => oid), ...(chain.nextOid === undefined ? [] : [chain.nextOid])];
  if (oids.length === 0 && !chain.isWhole) return undefined;
  const known = new Map((await loadLastCommits(deps.db, store.id, oids, query.paths)).map((row) => [row.tipOid, row]));
  for (const oid of oids) {
    const row = known.get(oid);
    const commits = row && chainAbove(chain, oid);
    if (commits === undefined) continue;
    const byName = await findLastCommitsOfEntries(store, { commits, directory, entries, known: row?.byName ?? new Map() });
    if (isEnough({ byName })) return keep(deps, query, { byName, complete: true });
  }
  if (!chain.isWhole) return undefined;
  const byName = await findLastCommitsOfEntries(store, { commits: chain.commits, directory, entries, known: new Map() });
  return isEnough({ byName }) ? keep(deps, query, { byName, complete: true }) : undefined;
}

async function keep(deps: LastCommitsDeps, { store, tipOid, path }: Query, found: LastCommits): Promise<LastCommits> {
  if (found.complete && found.byName.size <= keptEntries && encodeName(path).length <= keptPathBytes) {
    await saveDerived(deps, (tx) => saveLastCommits(tx, store.id, path, { tipOid, byName: found.byName }));
  }
  return found;
}
