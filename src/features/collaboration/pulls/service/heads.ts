import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Tx } from "../../../../db/db.ts";
import { readInfo } from "../../../../git/objects/objects.ts";
import { copyObjectsFrom } from "../../../../git/receive/copy-objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import type { RefView } from "../../../repositories/refs/model.ts";
import { moveStoreRefs } from "../../../repositories/refs/service/move.ts";
import { findRef, refTips } from "../../../repositories/refs/service/read.ts";
import type { PullRow } from "../model.ts";
import type { PullDeps } from "./deps.ts";

/** Store and commit of a head. */
export type HeadLocation = Pick<PullRow, "headStoreId" | "headOid">;

/** Ref of the base repository that points to the head: users can fetch it, and it keeps the commits from garbage collection. */
export const headRefOf = (number: number): string => `refs/pull/${number}/head`;

/**
 * The store of the base with the head's commits: copies the commits of a fork once, on first use.
 * @throws ForgeError as `copyObjectsFrom`
 */
export async function storeWithHead(
  deps: Pick<PullDeps, "db" | "git">,
  repository: Pick<RepositorySubject, "codeStoreId" | "objectFormat">,
  { headStoreId, headOid }: HeadLocation,
  signal?: AbortSignal,
): Promise<GitStore> {
  const store = codeStore(deps, repository);
  if (headStoreId === null || headStoreId === store.id || (await readInfo(store, headOid)) !== undefined) return store;
  const knownOids = refTips(deps.db, store);
  await copyObjectsFrom(deps.git.store(headStoreId, store.format), store, { tipOids: [headOid], knownOids, signal });
  return store;
}

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
