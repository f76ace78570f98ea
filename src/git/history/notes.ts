import { readBlob, readTree } from "../objects/objects.ts";
import type { GitStore } from "../stores.ts";
import type { Oid, TreeEntry } from "../types.ts";

export interface Note {
  /** Where it stands in the notes tree. */
  readonly path: string;
  readonly blobOid: Oid;
  readonly data: Buffer;
}

/** Larger notes are nobody's message. */
const maxNoteBytes = 1024 * 1024;

/**
 * The note of an object in a notes tree (git-notes): a blob named by the object's id, below any number of
 * directories of two digits each. Undefined when it has none. Starts no process.
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
