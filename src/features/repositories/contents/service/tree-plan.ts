import { type ForgeError, invalid, notFound } from "../../../../core/errors.ts";
import { countTurns } from "../../../../core/turns.ts";
import type { TreeChange } from "../../../../git/merge/tree-edit.ts";
import { findEntry } from "../../../../git/objects/objects.ts";
import { isWritablePath } from "../../../../git/objects/path-rules.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { FileMode, GitObject, Oid } from "../../../../git/types.ts";
import { type FileChange, isOperation, type Operation } from "../file-change.ts";

/** What becomes the content of a file: an object that is still to be written, or one that is there already. */
type Content = Pick<GitObject, "oid">;

/** A wish whose content has been read. */
export interface PlannedChange<B extends Content = GitObject> {
  readonly operation: Operation;
  readonly path: string;
  /** The same as `path` where nothing moves. */
  readonly fromPath: string;
  readonly sha: string;
  /** Undefined where the file keeps its content. */
  readonly blob: B | undefined;
}

/** A path without slashes that mean nothing. */
export const cleanPath = (path: string): string => path.replace(/\/{2,}/g, "/").replace(/^\/|\/$/g, "");

/** @throws ForgeError `invalid` for what no tree could make good */
export function planChange<B extends Content>(change: FileChange, blob: B): PlannedChange<B> {
  const { operation, sha } = change;
  if (!isOperation(operation)) throw invalid(`unknown operation: ${operation}`);
  const path = cleanPath(change.path);
  const fromPath = change.fromPath === "" ? path : cleanPath(change.fromPath);
  // What is there can be deleted whatever it is called.
  if (operation !== "delete" && !isWritablePath(path, "100644")) throw invalid(`path contains a malformed path component [path: ${change.path}]`);
  if (operation === "rename" && fromPath === path) throw invalid(`from_path must be another path [path: ${change.path}]`);
  if ((operation === "update" || operation === "delete") && sha === "") throw invalid(`the sha of the file is needed [path: ${change.path}]`);
  const keepsContent = operation === "delete" || (operation === "rename" && change.content === "");
  return { operation, path, fromPath, sha, blob: keepsContent ? undefined : blob };
}

export interface TreePlan<B extends Content = GitObject> {
  readonly steps: readonly TreeChange[];
  readonly blobs: readonly B[];
}

/** Work of one change, in small objects: a path is looked up in the steps so far and in the tree. */
const changeWeight = 10;

/**
 * The steps on a tree that make the changes good, each judged by what those before it leave.
 * @throws ForgeError `not_found` for a file that is not there, `invalid` for one that is in the way or is not what the caller believes
 */
export async function planTree<B extends Content>(store: GitStore, rootTreeOid: Oid | undefined, changes: readonly PlannedChange<B>[]): Promise<TreePlan<B>> {
  const draft = createDraft(store, rootTreeOid);
  const turn = countTurns();
  for (const change of changes) {
    await turn(changeWeight);
    if (change.operation === "delete") {
      await requireEntry(draft, change.path, change.sha);
      draft.remove(change.path);
    } else if (change.operation === "create" || change.operation === "upload") await putFile(draft, change);
    else await replaceFile(draft, change);
  }
  return { steps: draft.steps, blobs: changes.map(({ blob }) => blob).filter((blob) => blob !== undefined) };
}

async function putFile(draft: Draft, { operation, path, blob }: PlannedChange<Content>): Promise<void> {
  const present = await draft.find(path);
  if (operation === "create" && present !== undefined && present.mode !== "040000") throw fileExists(path);
  if (present?.mode === "160000") throw isSubmodule(path);
  if (blob !== undefined) draft.put(path, contentMode(present?.mode), blob.oid);
}

/** `update` and `rename`: other content, another path, or both. */
async function replaceFile(draft: Draft, { path, fromPath, sha, blob }: PlannedChange<Content>): Promise<void> {
  const present = await requireEntry(draft, fromPath, sha);
  if (present.mode === "040000") throw invalid(`a directory exists where you’re trying to create a file [path: ${fromPath}]`);
  if (blob !== undefined && present.mode === "160000") throw isSubmodule(fromPath);
  if (fromPath !== path) {
    const other = await draft.find(path);
    if (other !== undefined && other.mode !== "040000") throw fileExists(path);
    draft.remove(fromPath);
  }
  draft.put(path, blob === undefined ? present.mode : contentMode(present.mode), blob?.oid ?? present.oid);
}

/** What is given content becomes a file; where a link stood, that link is gone and nothing is written through it. */
const contentMode = (present: FileMode | undefined): "100644" | "100755" => (present === "100755" ? "100755" : "100644");

async function requireEntry(draft: Draft, path: string, sha: string): Promise<DraftEntry> {
  const present = await draft.find(path);
  if (path === "" || present === undefined) throw notFound(`object does not exist [id: , rel_path: ${path}]`);
  if (sha !== "" && sha !== present.oid) throw invalid(`sha does not match [given: ${sha}, expected: ${present.oid}]`);
  return present;
}

const fileExists = (path: string): ForgeError => invalid(`repository file already exists [path: ${path}]`);
const isSubmodule = (path: string): ForgeError => invalid(`a submodule has no content of its own here [path: ${path}]`);

interface DraftEntry {
  readonly mode: FileMode;
  readonly oid: Oid;
}

/** A tree as the steps so far leave it. */
interface Draft {
  readonly steps: readonly TreeChange[];
  find(path: string): Promise<DraftEntry | undefined>;
  put(path: string, mode: Exclude<FileMode, "040000">, oid: Oid): void;
  remove(path: string): void;
}

function createDraft(store: GitStore, rootTreeOid: Oid | undefined): Draft {
  const steps: TreeChange[] = [];
  /** The number of the last step on each path. */
  const last = new Map<string, number>();
  const add = (step: TreeChange): void => {
    last.set(step.path, steps.push(step) - 1);
  };
  return {
    steps,
    put: (path, mode, oid) => add({ kind: "put", path, mode, oid }),
    remove: (path) => add({ kind: "remove", path }),
    async find(path) {
      // A step on the path itself decides, or a later one on a directory that it was in.
      const own = last.get(path) ?? -1;
      const above = Math.max(...ancestors(path).map((ancestor) => last.get(ancestor) ?? -1), -1);
      const step = steps[Math.max(own, above)];
      if (step !== undefined) return own > above && step.kind === "put" ? { mode: step.mode, oid: step.oid } : undefined;
      return rootTreeOid === undefined ? undefined : findEntry(store, rootTreeOid, path);
    },
  };
}

function ancestors(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("/"));
}
