import { notFound } from "../../../core/errors.ts";
import type { Tx } from "../../../db/db.ts";
import { copyPublicRefs, countRefs } from "../store/refs.ts";
import { beginAsCopy, findStore, insertStore } from "../store/stores.ts";
import { branchPrefix, type StoreView } from "../view.ts";
import { announceMove } from "./projector.ts";

/** A store that has the refs of another one, and not yet its objects. */
export type CopiedRefs = Pick<StoreView, "id" | "format" | "headRef">;

/**
 * Makes a store with the branches and tags of another one as they are now, in a constant number of statements. It has no objects yet, and the
 * disk is not told before {@link showCopy}: who copies gives it those objects first.
 */
export async function copyStore(tx: Tx, fromId: number): Promise<CopiedRefs> {
  const from = await findStore(tx, fromId);
  if (from === undefined) throw notFound();
  const id = await insertStore(tx, from);
  await copyPublicRefs(tx, fromId, id);
  return { id, format: from.format, headRef: from.headRef };
}

export interface CopiedStore {
  readonly id: number;
  readonly fromId: number;
  /** Whether garbage that came along may stay until something moves. */
  readonly keepsGarbage: boolean;
}

/** A copy has its objects: from here on it is a store like any other. @returns how many branches it has */
export async function showCopy(tx: Tx, { id, fromId, keepsGarbage }: CopiedStore): Promise<number> {
  await beginAsCopy(tx, id, fromId, keepsGarbage);
  announceMove(tx, id);
  return countRefs(tx, id, branchPrefix);
}
