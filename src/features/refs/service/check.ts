import type { Reader } from "../../../db/db.ts";
import { verifyStore } from "../../../git/housekeeping.ts";
import { readInfo } from "../../../git/objects.ts";
import type { GitStores } from "../../../git/stores.ts";
import { listStoreIds } from "../store/stores.ts";
import { allRefs } from "./read.ts";
import { getStore } from "./stores.ts";

export interface CheckDeps {
  readonly db: Reader;
  readonly git: GitStores;
}

const batch = 200;

/**
 * Looks whether every ref leads to an object and every object is whole and has what it needs. Changes nothing.
 * @param say hears each problem
 * @returns how many stores there are
 */
export async function checkStores(deps: CheckDeps, say: (storeId: number, problem: string) => void): Promise<number> {
  let count = 0;
  for (let afterId = 0; ; ) {
    const ids = await listStoreIds(deps.db, afterId, batch);
    for (const id of ids) await checkStore(deps, id, (problem) => say(id, problem));
    count += ids.length;
    if (ids.length < batch) return count;
    afterId = ids.at(-1) ?? afterId;
  }
}

async function checkStore({ db, git }: CheckDeps, id: number, say: (problem: string) => void): Promise<void> {
  const row = await getStore(db, id);
  if (row === undefined) return;
  const store = git.store(id, row.format);
  const refs = await allRefs(db, id);
  for (const ref of refs) {
    if ((await readInfo(store, ref.oid)) === undefined) say(`${ref.name} points to ${ref.oid}, which is not there`);
  }
  for (const problem of (await verifyStore(store)).problems) say(problem);
}
