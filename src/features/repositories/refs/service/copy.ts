import { notFound } from "../../../../core/errors.ts";
import type { Tx } from "../../../../db/db.ts";
import type { StoreView } from "../model.ts";
import { copyPublicRefs, describeCopy } from "../store/refs.ts";
import { beginAsCopy, findStore, insertStore } from "../store/stores.ts";
import { announceMove } from "./projector.ts";

/** A store that has the refs of another one, and not yet its objects. */
export interface CopiedRefs extends Pick<StoreView, "id" | "format" | "headRef"> {
  readonly branchesCount: number;
  /** The version of the other store's refs, where its disk showed just the copied ones. */
  readonly shownVersion: number | undefined;
}

/**
 * Makes a store with the branches and tags of another one as they are now, in a constant number of statements. It has no objects yet, and the
 * disk is not told before {@link showCopy}: who copies gives it those objects first.
 */
export async function copyStore(tx: Tx, fromId: number): Promise<CopiedRefs> {
  const from = await findStore(tx, fromId);
  if (from === undefined) throw notFound();
  const id = await insertStore(tx, from);
  await copyPublicRefs(tx, fromId, id);
  const { branchesCount, isWhole } = await describeCopy(tx, fromId, id);
  const isShown = isWhole && from.projectedVersion === from.refsVersion;
  return { id, format: from.format, headRef: from.headRef, branchesCount, shownVersion: isShown ? from.refsVersion : undefined };
}

export interface CopiedStore {
  readonly id: number;
  readonly fromId: number;
  /** Whether garbage that came along may stay until something moves. */
  readonly keepsGarbage: boolean;
  /** The version of {@link CopiedRefs}, when the copy has the other one's projected refs; they are another version's if its refs have moved. */
  readonly shownVersion: number | undefined;
}

/** A copy has its objects: from here on it is a store like any other. */
export async function showCopy(tx: Tx, { id, fromId, keepsGarbage, shownVersion }: CopiedStore): Promise<void> {
  const isShown = await beginAsCopy(tx, id, fromId, { isCollected: keepsGarbage, shownVersion });
  if (!isShown) announceMove(tx, id);
}
