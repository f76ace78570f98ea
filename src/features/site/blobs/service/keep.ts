import type { Log } from "../../../../core/log.ts";
import type { Tx } from "../../../../db/db.ts";
import type { FileStore } from "../../../../storage/files.ts";
import type { StoredFile } from "../model.ts";
import { deleteUnheld, insertFile } from "../store.ts";

/**
 * Makes a content known that the store has taken in, in the transaction of the row that is made of it; whatever has it already is left as it is.
 * @returns the copy that is kept. When it is another one than `stored.file`, that is nobody's: `discardFile` takes it once the transaction has taken place
 */
export const keepFile = (tx: Tx, stored: StoredFile): Promise<string> => insertFile(tx, stored);

/**
 * To be called behind the deletion of a row, in its transaction: forgets the content that it was made of, if nothing else is.
 * @returns what `discardFile` is to take once the transaction has taken place
 */
export const letGo = (tx: Tx, digest: string): Promise<string | undefined> => deleteUnheld(tx, digest);

/** Takes a copy that no row has, and none will have: names are not given twice. What cannot be taken now the sweep takes. */
export async function discardFile({ files, log }: { readonly files: FileStore; readonly log: Log }, file: string | undefined): Promise<void> {
  if (file === undefined) return;
  await files.delete(file).catch((error: unknown) => log.warn({ err: error }, "a file that nothing names stays until the next sweep"));
}
