import { notFound } from "../../../../core/errors.ts";
import type { Tx } from "../../../../db/db.ts";
import type { StoreView } from "../model.ts";
import { copyPublicRefs, copyRef, describeCopy } from "../store/refs.ts";
import { beginAsCopy, findStore, insertStore } from "../store/stores.ts";
import { announceObjects } from "./packs.ts";
import { announceMove } from "./projector.ts";

/** A store that has the refs of another one, but not yet its objects. */
export interface CopiedRefs extends Pick<StoreView, "id" | "format" | "headRef"> {
  readonly branchesCount: number;
  /** The version of the other store's refs, if its disk had exactly the copied ones. */
  readonly shownVersion: number | undefined;
}

/**
 * Creates a store with the present branches and tags of another one, or only with its default branch, in a constant number of statements. It
 * has no objects yet: the caller adds them and then calls {@link showCopy}, which makes the refs visible on disk.
 */
export async function copyStore(tx: Tx, fromId: number, refs: "all" | "default-branch" = "all"): Promise<CopiedRefs> {
  const from = await findStore(tx, fromId);
  if (from === undefined) throw notFound();
  const id = await insertStore(tx, from);
  await (refs === "all" ? copyPublicRefs(tx, fromId, id) : copyRef(tx, fromId, id, from.headRef));
  const { branchesCount, isWhole } = await describeCopy(tx, fromId, id);
  const isShown = refs === "all" && isWhole && from.projectedVersion === from.refsVersion;
  return { id, format: from.format, headRef: from.headRef, branchesCount, shownVersion: isShown ? from.refsVersion : undefined };
}

export interface CopiedStore {
  readonly id: number;
  readonly fromId: number;
  /** Whether copied unreachable objects can be kept until the next ref update. */
  readonly keepsGarbage: boolean;
  /** The version in {@link CopiedRefs}, if the copy has the other store's refs on disk; they are outdated if its refs have moved since. */
  readonly shownVersion: number | undefined;
}

/** Makes a copy with complete objects a regular store. */
export async function showCopy(tx: Tx, { id, fromId, keepsGarbage, shownVersion }: CopiedStore): Promise<void> {
  announceObjects(tx, id);
  const isShown = await beginAsCopy(tx, id, fromId, { isCollected: keepsGarbage, shownVersion });
  if (!isShown) announceMove(tx, id);
}
