import type { Reader } from "../../../../db/db.ts";
import { verifyStore } from "../../../../git/maintain/housekeeping.ts";
import { readInfo } from "../../../../git/objects/objects.ts";
import type { GitStores } from "../../../../git/stores.ts";
import { listStoreIds } from "../store/stores.ts";
import { allRefs } from "./read.ts";
import { withAllRefs } from "./snapshots.ts";
import { getStore } from "./stores.ts";

export interface CheckDeps {
  readonly db: Reader;
  readonly git: GitStores;
}

const batch = 200;
/** Where everything is gone, so many refs are named. */
const maxMissing = 100;

/**
 * Looks whether every ref leads to an object and every object is whole and has what it needs. Changes nothing.
 * @param say hears each problem
 * @returns how many stores there are
 */
export async function checkStores(deps: CheckDeps, say: (storeId: number, problem: string) => void): Promise<number> {
  let count = 0;
  for (let afterId = 0; ; ) {
    const ids = await listStoreIds(deps.db, afterId, batch);
    for (const id of ids) {
      for (const problem of await findProblems(deps, id)) say(id, problem);
    }
    count += ids.length;
    if (ids.length < batch) return count;
    afterId = ids.at(-1) ?? afterId;
  }
}

/** What is wrong with a store, a line each; none when it is gone meanwhile, and for a copy that was cut short before it had its objects. */
export async function findProblems({ db, git }: CheckDeps, id: number, signal?: AbortSignal): Promise<readonly string[]> {
  const row = await getStore(db, id);
  if (row === undefined || row.refsVersion === 0) return [];
  const store = git.store(id, row.format);
  const problems: string[] = [];
  for (const ref of await allRefs(db, id)) {
    if ((await readInfo(store, ref.oid)) === undefined) problems.push(`${ref.name} points to ${ref.oid}, which is not there`);
  }
  const verified = await withAllRefs({ db, git }, store, (shown) => verifyStore(shown, signal));
  return [...problems.slice(0, maxMissing), ...(verified?.problems ?? [])];
}
