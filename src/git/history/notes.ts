import { readBlob, readTree } from "../objects/objects.ts";
import type { GitStore } from "../stores.ts";
import type { Oid, TreeEntry } from "../types.ts";

export interface Note {
  /** Path in the notes tree. */
  readonly path: string;
  readonly blobOid: Oid;
  readonly data: Buffer;
}

/** Larger notes are ignored. */
const maxNoteBytes = 1024 * 1024;

/**
 * Reads the note of an object from a notes tree (git-notes): a blob named by the object's id, below any number of two-digit directories.
 * Undefined if the object has no note. Starts no process.
 */
export async function readNote(store: GitStore, notesTreeOid: Oid, objectOid: Oid): Promise<Note | undefined> {
  let treeOid = notesTreeOid;
  let path = "";
  let rest = objectOid;
  while (rest.length > 0) {
    const entries: readonly TreeEntry[] | undefined = await readTree(store, treeOid);
    const blob = entries?.find((entry) => entry.name === rest && entry.mode !== "040000");
    if (blob !== undefined) {
      const read = await readBlob(store, blob.oid, maxNoteBytes);
      return read?.data === undefined ? undefined : { path: `${path}${rest}`, blobOid: blob.oid, data: read.data };
    }
    const directory = entries?.find((entry) => entry.name === rest.slice(0, 2) && entry.mode === "040000");
    if (directory === undefined) return undefined;
    treeOid = directory.oid;
    path += `${directory.name}/`;
    rest = rest.slice(2);
  }
  return undefined;
}
