import { anyOf } from "../../../../db/any-of.ts";
import type { Reader } from "../../../../db/db.ts";

/** Names of the repositories that use the stores for code or wiki. One statement. */
export async function loadNamesOfStores(db: Reader, storeIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db.sql
    .selectFrom("repositories as r")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .select(["r.code_store_id", "r.wiki_store_id", "o.name as owner", "r.name"])
    .where((eb) => eb.or([anyOf(db, eb.ref("r.code_store_id"), storeIds), anyOf(db, eb.ref("r.wiki_store_id").$castTo<number>(), storeIds)]))
    .execute();
  const names = new Map<number, string>();
  for (const { code_store_id, wiki_store_id, owner, name } of rows) {
    names.set(code_store_id, `${owner}/${name}`);
    if (wiki_store_id !== null) names.set(wiki_store_id, `${owner}/${name}.wiki`);
  }
  return names;
}
