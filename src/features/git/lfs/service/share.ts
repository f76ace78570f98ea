import type { Tx } from "../../../../db/db.ts";
import { recountFilesOf } from "../../../repositories/repos/service/sizes.ts";
import { copyObjects } from "../store/objects.ts";

/**
 * Gives a repository the large files of another one, inside the caller's transaction: rows alone, the contents are shared. A content is taken
 * off the disk when no row names it.
 */
export async function shareObjects(tx: Tx, fromRepoId: number, toRepoId: number): Promise<void> {
  if (await copyObjects(tx, fromRepoId, toRepoId)) await recountFilesOf(tx, toRepoId);
}
