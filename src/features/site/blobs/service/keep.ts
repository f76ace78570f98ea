import type { Log } from "../../../../core/log.ts";
import type { Tx } from "../../../../db/db.ts";
import type { FileStore } from "../../../../storage/files.ts";
import type { StoredFile } from "../model.ts";
import { deleteUnheld, insertFile } from "../store.ts";

/**
 * Registers a stored content in the transaction of the row that references it; an existing copy is reused.
 * @returns the name of the kept copy. If it differs from `stored.file`, pass the latter to `discardFile` after the commit
 */
export const keepFile = (tx: Tx, stored: StoredFile): Promise<string> => insertFile(tx, stored);

/**
 * Call after deleting a referencing row, in its transaction: unregisters its content if no other row references it. The sweep deletes the file later,
 * so that a backup of the rows before is complete.
 */
export const letGo = (tx: Tx, digest: string): Promise<void> => deleteUnheld(tx, digest);

/** Deletes a copy that never had a row. Names are never reused, so none will follow. On failure the sweep deletes it. */
export async function discardFile({ files, log }: { readonly files: FileStore; readonly log: Log }, file: string | undefined): Promise<void> {
  if (file === undefined) return;
  await files.delete(file).catch((error: unknown) => log.warn({ err: error }, "deleting an unreferenced file failed; the next sweep deletes it"));
}
