import { type ForgeError, invalid, notFound } from "../../../../core/errors.ts";
import { countTurns } from "../../../../core/turns.ts";
import type { TreeChange } from "../../../../git/merge/tree-edit.ts";
import { findEntry } from "../../../../git/objects/objects.ts";
import { isWritablePath } from "../../../../git/objects/path-rules.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { FileMode, GitObject, Oid } from "../../../../git/types.ts";
import { type FileChange, isOperation, type Operation } from "../file-change.ts";

/** The content of a file: an object still to be written, or an existing one. */
type Content = Pick<GitObject, "oid">;

/** A file operation with decoded content. */
export interface PlannedChange<B extends Content = GitObject> {
  readonly operation: Operation;
  readonly path: string;
  /** Equals `path` unless the file is moved. */
  readonly fromPath: string;
  readonly sha: string;
  /** Undefined if the content is unchanged. */
  readonly blob: B | undefined;
}

/** Removes leading, trailing and duplicate slashes. */
export const cleanPath = (path: string): string => path.replace(/\/{2,}/g, "/").replace(/^\/|\/$/g, "");

/** @throws ForgeError `invalid` for an operation that no tree permits */
export function planChange<B extends Content>(change: FileChange, blob: B): PlannedChange<B> {
  const { operation, sha } = change;
  if (!isOperation(operation)) throw invalid(`unknown operation: ${operation}`);
  const path = cleanPath(change.path);
  const fromPath = change.fromPath === "" ? path : cleanPath(change.fromPath);
  // Existing files can be deleted even if their names are invalid.
  if (operation !== "delete" && !isWritablePath(path, "100644"))
    throw invalid(`path contains a malformed path component [path: ${change.path}]`, { reason: "invalid_path" });
  if (operation === "rename" && fromPath === path) throw invalid(`from_path must differ from path [path: ${change.path}]`);
  if ((operation === "update" || operation === "delete") && sha === "") throw invalid(`the sha of the file is required [path: ${change.path}]`);
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
 * The tree edits for the changes, each checked against the result of the previous ones.
 * @throws ForgeError `not_found` for a missing file, `invalid` for a file that exists already or has an unexpected sha
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

/** `update` and `rename`: replaces the content, the path, or both. */
async function replaceFile(draft: Draft, { path, fromPath, sha, blob }: PlannedChange<Content>): Promise<void> {
  const present = await requireEntry(draft, fromPath, sha);
  if (present.mode === "040000") throw invalid(`a directory exists where you’re trying to create a file [path: ${fromPath}]`, { reason: "path_taken" });
  if (blob !== undefined && present.mode === "160000") throw isSubmodule(fromPath);
  if (fromPath !== path) {
    const other = await draft.find(path);
    if (other !== undefined && other.mode !== "040000") throw fileExists(path);
    draft.remove(fromPath);
  }
  draft.put(path, blob === undefined ? present.mode : contentMode(present.mode), blob?.oid ?? present.oid);
}

/** New content makes a regular file. A symbolic link is replaced, never followed. */
const contentMode = (present: FileMode | undefined): "100644" | "100755" => (present === "100755" ? "100755" : "100644");

async function requireEntry(draft: Draft, path: string, sha: string): Promise<DraftEntry> {
  const present = await draft.find(path);
  if (path === "" || present === undefined) throw notFound(`object does not exist [id: , rel_path: ${path}]`);
  if (sha !== "" && sha !== present.oid) throw invalid(`sha does not match [given: ${sha}, expected: ${present.oid}]`, { reason: "changed_meanwhile" });
  return present;
}

const fileExists = (path: string): ForgeError => invalid(`repository file already exists [path: ${path}]`, { reason: "path_taken" });
const isSubmodule = (path: string): ForgeError => invalid(`the content of a submodule cannot be changed [path: ${path}]`, { reason: "submodule_content" });

interface DraftEntry {
  readonly mode: FileMode;
  readonly oid: Oid;
}

/** A tree with the edits so far applied. */
interface Draft {
  readonly steps: readonly TreeChange[];
  find(path: string): Promise<DraftEntry | undefined>;
  put(path: string, mode: Exclude<FileMode, "040000">, oid: Oid): void;
  remove(path: string): void;
}

function createDraft(store: GitStore, rootTreeOid: Oid | undefined): Draft {
  const steps: TreeChange[] = [];
  /** The index of the last edit of each path. */
  const last = new Map<string, number>();
  const add = (step: TreeChange): void => {
    last.set(step.path, steps.push(step) - 1);
  };
  return {
    steps,
    put: (path, mode, oid) => add({ kind: "put", path, mode, oid }),
    remove: (path) => add({ kind: "remove", path }),
    async find(path) {
      // The last edit of the path itself decides, unless a parent directory was edited later.
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
