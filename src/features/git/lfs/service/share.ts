import type { Tx } from "../../../../db/db.ts";
import { recountFilesOf } from "../../../repositories/repos/service/sizes.ts";
import { copyObjects } from "../store/objects.ts";

/**
 * Shares the LFS objects of a repository with another one, inside the caller's transaction. Only rows are copied. A content is
 * deleted from disk when no row references it.
 */
export async function shareObjects(tx: Tx, fromRepoId: number, toRepoId: number): Promise<void> {
  if (await copyObjects(tx, fromRepoId, toRepoId)) await recountFilesOf(tx, toRepoId);
}
