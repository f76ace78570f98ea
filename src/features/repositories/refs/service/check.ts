import { mapInPieces } from "../../../../core/turns.ts";
import type { Reader } from "../../../../db/db.ts";
import { verifyStore } from "../../../../git/maintain/housekeeping.ts";
import { readInfo } from "../../../../git/objects/objects.ts";
import type { GitStores } from "../../../../git/stores.ts";
import { listStoreIds } from "../store/stores.ts";
import { allRefs } from "./read.ts";
import { damagedPackOf } from "./shared-packs.ts";
import { withAllRefs } from "./snapshots.ts";
import { getStore } from "./stores.ts";

export interface CheckDeps {
  readonly db: Reader;
  readonly git: GitStores;
}

const batch = 200;
/** Maximum number of broken refs reported per store. */
const maxMissing = 100;

/**
 * Checks that every ref points to an object, and that every object is intact and complete. Changes nothing.
 * @param say called with each problem, one after another
 * @returns the number of stores
 */
export async function checkStores(deps: CheckDeps, say: (storeId: number, problem: string) => unknown): Promise<number> {
  let count = 0;
  for (let afterId = 0; ; ) {
    const ids = await listStoreIds(deps.db, afterId, batch);
    for (const id of ids) {
      for (const problem of await findProblems(deps, id)) await say(id, problem);
    }
    count += ids.length;
    if (ids.length < batch) return count;
    afterId = ids.at(-1) ?? afterId;
  }
}

/** The problems of a store, one line each; none if it was deleted in the meantime, and for an interrupted copy without objects. */
export async function findProblems({ db, git }: CheckDeps, id: number, signal?: AbortSignal): Promise<readonly string[]> {
  const row = await getStore(db, id);
  if (row === undefined || row.refsVersion === 0) return [];
  const store = git.store(id, row.format, row.packsVersion);
  const lost = await git.shared.packs.check(store);
  // A copy without them cannot be read.
  if (lost.length > 0) return lost;
  try {
    const missing = await mapInPieces(await allRefs(db, id), async ({ name, oid }) =>
      (await readInfo(store, oid)) === undefined ? [`${name} points to ${oid}, which does not exist`] : [],
    );
    const problems = missing.flat();
    const verified = await withAllRefs({ db, git }, store, (shown) => verifyStore(shown, signal));
    return [...problems.slice(0, maxMissing), ...(verified?.problems ?? [])];
  } catch (error) {
    const pack = damagedPackOf(error);
    if (pack === undefined) throw error;
    return [`${pack} has other bytes in the bucket than those that were stored`];
  }
}
