import { commitChanges } from "../../../../git/history/diff.ts";
import type { FileChanges } from "../../../../git/history/diff-parse.ts";
import { isListable } from "../../../../git/history/diff-size.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import type { ChangedPath, CommitChanges } from "../model.ts";
import { loadCommitChanges as loadTexts, saveCommitChanges } from "../store.ts";
import { type DerivedDeps, saveDerived } from "./derived.ts";

/** Longer results are not stored but computed again; few commits change this much. */
const keptLength = 64 * 1024;

/**
 * The changes of each commit compared with its first parent. One statement for the stored ones, one process for all others.
 * A commit with too many changes has an empty list.
 */
export async function loadChanges(
  deps: DerivedDeps,
  store: GitStore,
  commits: readonly Commit[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<Oid, CommitChanges>> {
  if (commits.length === 0) return new Map();
  const key = `commit changes ${store.key} ${commits.map(({ oid }) => oid).join(" ")}`;
  return store.shared.flights.run(key, signal, (shared) => loadOnce(deps, store, commits, shared));
}

async function loadOnce(deps: DerivedDeps, store: GitStore, commits: readonly Commit[], signal: AbortSignal): Promise<ReadonlyMap<Oid, CommitChanges>> {
  const oids = commits.map(({ oid }) => oid);
  const kept = await loadTexts(deps.db, store.id, oids);
  const found = new Map([...kept].map(([oid, text]) => [oid, parseChanges(text)]));
  const missing = commits.filter(({ oid }) => !found.has(oid));
  if (missing.length === 0) return found;
  const fresh = new Map<Oid, string>();
  const take = (oid: Oid, view: CommitChanges, isFact: boolean): void => {
    found.set(oid, view);
    const text = formatChanges(view);
    if (isFact && text.length <= keptLength) fresh.set(oid, text);
  };
  const listable = new Set((await Promise.all(missing.map(async (commit) => ((await isListable(store, commit)) ? [commit] : [])))).flat());
  for (const commit of missing) if (!listable.has(commit)) take(commit.oid, { additions: 0, deletions: 0, files: [] }, true);
  if (listable.size > 0) {
    for (const [oid, changes] of await commitChanges(store, [...listable], { renames: true, signal })) take(oid, viewChanges(changes), !isUnlisted(changes));
  }
  if (fresh.size > 0) await saveDerived(deps, (tx) => saveCommitChanges(tx, store.id, fresh));
  return found;
}

/** A timeout is temporary and must not be stored. */
const isUnlisted = ({ truncated, fileCount }: FileChanges): boolean => truncated && fileCount === 0;

/** @compat lines are counted with rename detection, files are listed without it (commits/api.test.ts) */
function viewChanges({ additions, deletions, files }: FileChanges): CommitChanges {
  return {
    additions,
    deletions,
    files: files.flatMap(({ path, oldPath, status }): ChangedPath[] => {
      switch (status) {
        case "renamed":
          return [{ path, status: "added" }, ...(oldPath === undefined ? [] : [{ path: oldPath, status: "removed" } as const])];
        case "copied":
          return [{ path, status: "added" }];
        case "type_changed":
          return [{ path, status: "modified" }];
        default:
          return [{ path, status }];
      }
    }),
  };
}

const letters = { added: "A", modified: "M", removed: "R" } as const;
const statuses: Readonly<Record<string, ChangedPath["status"]>> = { A: "added", M: "modified", R: "removed" };

/** `[additions, deletions, "Apath", ...]`: compact, because one row is stored for every commit viewed. */
const formatChanges = ({ additions, deletions, files }: CommitChanges): string =>
  JSON.stringify([additions, deletions, ...files.map(({ path, status }) => letters[status] + path)]);

function parseChanges(text: string): CommitChanges {
  const [additions, deletions, ...files] = JSON.parse(text) as [number, number, ...string[]];
  return { additions, deletions, files: files.map((file) => ({ path: file.slice(1), status: statuses[file.slice(0, 1)] ?? "modified" })) };
}
