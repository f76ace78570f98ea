import { invalid } from "../../../../core/errors.ts";
import { matchAny, parseGlob } from "../../../../core/glob.ts";
import { editTree, type TreeChange } from "../../../../git/merge/tree-edit.ts";
import { newBlob } from "../../../../git/objects/format.ts";
import { findEntry, readBlob, readTree } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { FileMode, GitObject, Oid, TreeEntry } from "../../../../git/types.ts";
import { expandBytes, expandPath, type Variables } from "../variables.ts";

/** Lists the patterns of files in which variables are expanded, one per line; the file itself is not copied. */
export const patternsPath = ".gitea/template";

const maxPatternsBytes = 64 * 1024;
const maxPatterns = 200;
const maxTrees = 5_000;
const maxFiles = 50_000;
const maxFileBytes = 1024 * 1024;
const maxExpandedBytes = 32 * 1024 * 1024;

export interface ExpandedTree {
  readonly treeOid: Oid;
  /** New objects: files, and the trees that contain them. */
  readonly objects: readonly GitObject[];
}

/**
 * Expands variables in the files that match the template's patterns, and in their paths. Works on objects alone. Links and submodules are
 * never changed.
 * @throws ForgeError `invalid` if an expanded path is invalid, two files get the same path, or the template is too large
 */
export async function expandTree(store: GitStore, rootOid: Oid, variables: Variables): Promise<ExpandedTree> {
  const patterns = await readPatterns(store, rootOid);
  if (patterns === undefined) return { treeOid: rootOid, objects: [] };
  const removals: TreeChange[] = [{ kind: "remove", path: patternsPath }];
  const puts: TreeChange[] = [];
  const taken = new Set<string>();
  const blobs: GitObject[] = [];
  let rest = maxExpandedBytes;
  for (const file of await listFiles(store, rootOid)) {
    if (file.path === patternsPath) continue;
    const isNamed = file.isRegular && patterns(file.path);
    const path = isNamed ? expandPath(file.path, variables) : file.path;
    if (taken.has(path)) throw invalid(`two files of the template have the same expanded path [path: ${path}]`, { reason: "path_taken" });
    taken.add(path);
    if (!isNamed) continue;
    const blob = await readBlob(store, file.oid, maxFileBytes);
    if (blob?.data === undefined)
      throw invalid(`a file of the template is too large to replace variables in it [path: ${file.path}]`, { reason: "template_too_large" });
    const expanded = expandBytes(blob.data, variables);
    const made = expanded === blob.data ? undefined : newBlob(store.format, expanded);
    if (made === undefined && path === file.path) continue;
    rest -= expanded.length;
    if (rest < 0) throw invalid("the template is too large to replace variables in it", { reason: "template_too_large" });
    if (made !== undefined) blobs.push(made);
    removals.push({ kind: "remove", path: file.path });
    puts.push({ kind: "put", path, mode: file.mode, oid: made?.oid ?? file.oid });
  }
  const { treeOid, objects } = await editTree(store, rootOid, [...removals, ...puts]);
  return { treeOid, objects: [...blobs, ...objects] };
}

/** Undefined if the template has no list of patterns; it is copied verbatim then. Invalid patterns match nothing. */
async function readPatterns(store: GitStore, rootOid: Oid): Promise<((path: string) => boolean) | undefined> {
  const entry = await findEntry(store, rootOid, patternsPath);
  if (entry === undefined || !isRegular(entry)) return undefined;
  const blob = await readBlob(store, entry.oid, maxPatternsBytes);
  if (blob?.data === undefined) throw invalid(`the patterns of the template are too long [path: ${patternsPath}]`);
  const lines = blob.data
    .toString("utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  return matchAny(lines.slice(0, maxPatterns).flatMap((line) => parseGlob(line, { separators: "/" }) ?? []));
}

interface FoundFile {
  readonly path: string;
  readonly oid: Oid;
  readonly mode: Exclude<FileMode, "040000">;
  readonly isRegular: boolean;
}

const isRegular = ({ mode }: TreeEntry): boolean => mode === "100644" || mode === "100755";

/** All entries except directories. */
async function listFiles(store: GitStore, rootOid: Oid): Promise<readonly FoundFile[]> {
  const files: FoundFile[] = [];
  const open = [{ path: "", oid: rootOid }];
  for (let trees = 0, next = open.pop(); next !== undefined; next = open.pop()) {
    trees += 1;
    if (trees > maxTrees || files.length > maxFiles) throw invalid("the template is too large to replace variables in it", { reason: "template_too_large" });
    for (const entry of (await readTree(store, next.oid)) ?? []) {
      const path = next.path + entry.name;
      if (entry.mode === "040000") open.push({ path: `${path}/`, oid: entry.oid });
      else files.push({ path, oid: entry.oid, mode: entry.mode, isRegular: isRegular(entry) });
    }
  }
  return files;
}
