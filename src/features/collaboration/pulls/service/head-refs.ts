import type { Tx } from "../../../../db/db.ts";
import type { Oid } from "../../../../git/types.ts";
import type { RefView } from "../../../repositories/refs/model.ts";
import { moveStoreRefs } from "../../../repositories/refs/service/move.ts";
import { findRef } from "../../../repositories/refs/service/read.ts";
import type { PullRow } from "../model.ts";
import { headRefOf } from "./heads.ts";

/**
 * Points `refs/pull/{index}/head` to a commit in the base's store. Rules and webhooks ignore these refs, so `moveRepositoryRefs` is not
 * used.
 */
export async function moveHeadRef(tx: Tx, storeId: number, { number }: Pick<PullRow, "number">, newOid: Oid, tip?: Pick<RefView, "tipMs">): Promise<void> {
  const name = headRefOf(number);
  const present = await findRef(tx, storeId, name);
  if (present?.oid === newOid) return;
  await moveStoreRefs(
    tx,
    storeId,
    [{ name, oldOid: present?.oid ?? null, newOid, type: "commit", peeledOid: "", tipMs: tip?.tipMs ?? present?.tipMs ?? 0 }],
    "all",
  );
}
