import { invalid, notFound } from "../../core/errors.ts";
import { countTurns } from "../../core/turns.ts";
import { newTree } from "../objects/format.ts";
import { emptyTreeOid } from "../objects/hash.ts";
import { readTree } from "../objects/objects.ts";
import { isWritablePath } from "../objects/path-rules.ts";
import type { GitStore } from "../stores.ts";
import type { FileMode, GitObject, Oid, TreeEntry } from "../types.ts";

/** A step of a tree edit. Steps are applied in order, so a move is a removal followed by a put. */
export type TreeChange =
  | { readonly kind: "put"; readonly path: string; readonly mode: Exclude<FileMode, "040000">; readonly oid: Oid }
  /** A file, or a directory with its contents. */
  | { readonly kind: "remove"; readonly path: string };

export interface EditedTree {
  readonly treeOid: Oid;
  /** The new trees, children before parents; not stored yet. */
  readonly objects: readonly GitObject[];
}

/** A directory being edited. Children that were read are stored here; others remain entries. */
interface Directory {
  readonly entries: Map<string, TreeEntry | Directory>;
  /** The id it was read by; undefined once it is modified. */
  oid: Oid | undefined;
}

/** Work of one change, in small objects. */
const changeWeight = 10;

/**
 * Applies changes to a tree. Reads and writes only the trees along the changed paths. A directory that loses its last entry is removed.
 * Symbolic links are entries like files: a path never follows one.
 * @param rootTreeOid undefined for a tree that does not exist yet
 * @throws ForgeError `invalid` for a path that is not allowed in a tree, or if a file and a directory collide; `not_found` if a removed
 * path does not exist
 */
export async function editTree(store: GitStore, rootTreeOid: Oid | undefined, changes: readonly TreeChange[]): Promise<EditedTree> {
  const root = rootTreeOid === undefined ? newDirectory() : await loadDirectory(store, rootTreeOid);
  const turn = countTurns();
  for (const change of changes) {
    await turn(changeWeight);
    if (change.kind === "put") await put(store, root, change);
    else await remove(store, root, change.path);
  }
  const objects: GitObject[] = [];
  const treeOid = finish(store, root, objects) ?? emptyTreeOid(store.format);
  if (objects.length === 0 && treeOid !== rootTreeOid) objects.push(newTree(store.format, []));
  return { treeOid, objects };
}

function newDirectory(): Directory {
  return { entries: new Map(), oid: undefined };
}

async function loadDirectory(store: GitStore, oid: Oid): Promise<Directory> {
  const entries = await readTree(store, oid);
  if (entries === undefined) throw notFound("object does not exist", { meta: { oid } });
  return { entries: new Map(entries.map((entry) => [entry.name, entry])), oid };
}

function isDirectory(child: TreeEntry | Directory): child is Directory {
  return "entries" in child;
}

/** The child as a directory, read if necessary; undefined if it is not a directory. */
async function openChild(store: GitStore, parent: Directory, name: string): Promise<Directory | undefined> {
  const child = parent.entries.get(name);
  if (child === undefined || isDirectory(child)) return child;
  if (child.mode !== "040000") return undefined;
  const directory = await loadDirectory(store, child.oid);
  parent.entries.set(name, directory);
  return directory;
}

async function put(store: GitStore, root: Directory, change: Extract<TreeChange, { kind: "put" }>): Promise<void> {
  const { path, mode, oid } = change;
  if (!isWritablePath(path, mode)) throw invalid(`path contains a malformed path component [path: ${path}]`, { reason: "invalid_path" });
  const names = path.split("/");
  const last = names.pop() ?? "";
  let directory = root;
  root.oid = undefined;
  for (const [depth, name] of names.entries()) {
    let next = await openChild(store, directory, name);
    if (next === undefined) {
      if (directory.entries.has(name)) {
        throw invalid(`a file exists where you’re trying to create a subdirectory [path: ${names.slice(0, depth + 1).join("/")}]`, { reason: "path_taken" });
      }
      next = newDirectory();
      directory.entries.set(name, next);
    }
    next.oid = undefined;
    directory = next;
  }
  const present = directory.entries.get(last);
  if (present !== undefined && (isDirectory(present) || present.mode === "040000")) {
    throw invalid(`a directory exists where you’re trying to create a file [path: ${path}]`, { reason: "path_taken" });
  }
  directory.entries.set(last, { mode, name: last, oid });
}

async function remove(store: GitStore, root: Directory, path: string): Promise<void> {
  const names = path.split("/");
  const last = names.pop() ?? "";
  const trail: Directory[] = [root];
  for (const name of names) {
    const next = await openChild(store, trail.at(-1) ?? root, name);
    if (next === undefined) throw missingPath(path);
    trail.push(next);
  }
  if (!trail.at(-1)?.entries.delete(last)) throw missingPath(path);
  for (const directory of trail) directory.oid = undefined;
  // Removes directories that became empty, from the bottom up.
  for (let depth = trail.length - 1; depth > 0 && trail[depth]?.entries.size === 0; depth--) trail[depth - 1]?.entries.delete(names[depth - 1] ?? "");
}

/** Adds the new trees of a directory and below; undefined if the directory is empty. */
function finish(store: GitStore, directory: Directory, objects: GitObject[]): Oid | undefined {
  if (directory.oid !== undefined) return directory.oid;
  const entries: TreeEntry[] = [];
  for (const [name, child] of directory.entries) {
    const oid = isDirectory(child) ? finish(store, child, objects) : child.oid;
    if (oid !== undefined) entries.push(isDirectory(child) ? { mode: "040000", name, oid } : child);
  }
  if (entries.length === 0) return undefined;
  const tree = newTree(store.format, entries);
  objects.push(tree);
  return tree.oid;
}

function missingPath(path: string) {
  return notFound(`object does not exist [id: , rel_path: ${path}]`);
}
