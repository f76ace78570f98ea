import { invalid } from "../../../../core/errors.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { listTree } from "../../commits/tree-listing.ts";

const maxEntries = 1_000_000;
const limits = { levels: 1_000, trees: 200_000, entries: 2_000_000, pathLength: 4_096 };

/**
 * Guards work that visits every path of a tree, because a few objects can expand to billions of paths. Each object is counted once.
 * @throws ForgeError `invalid` for too many files
 */
export async function requireCountableTree(store: GitStore, treeOid: Oid): Promise<void> {
  const listing = await listTree(store, treeOid, { offset: 0, limit: 0 }, limits);
  if (listing?.isIncomplete === true || (listing?.total ?? 0) > maxEntries) throw invalid(`there are more files than the limit of ${maxEntries}`);
}
