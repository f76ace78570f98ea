import type { Reader, Tx } from "../../../../db/db.ts";
import type { WriteReceipt } from "../../../../git/objects/write.ts";
import { type CheckedMoves, checkNames, checkValues, namesToLoad, type RefMove, type RefRefusal, type RefUpdate, refusalError } from "../moves.ts";
import { deleteRefs, loadRefs, loadRefsBelow, upsertRefs } from "../store/refs.ts";
import { changeStore } from "../store/stores.ts";
import { enqueueTidyAfter } from "./housekeeping.ts";
import { announceMove } from "./projector.ts";

/** `all`: everything moves or nothing, and a refusal is thrown. `each`: what can move moves, and the rest is told. */
export type MoveMode = "all" | "each";

export interface MoveResult {
  /** Refs that changed, in the order of the updates. */
  readonly moved: readonly RefMove[];
  /** Always empty in mode `all`. */
  readonly refused: readonly RefRefusal[];
}

/**
 * Judges every update by itself against the refs as they are now. Two statements at most, whatever their number.
 * Deletions come first, so that `a` can be replaced by `a/b` in one go.
 */
export async function checkMoves(db: Reader, storeId: number, updates: readonly RefUpdate[]): Promise<CheckedMoves> {
  const present = await loadRefs(db, storeId, namesToLoad(updates));
  const judged = checkValues(updates, present);
  const made = judged.changes.filter(({ oldOid }) => oldOid === null).map(({ name }) => name);
  if (made.length === 0) return judged;
  const below = await loadRefsBelow(
    db,
    storeId,
    made,
    judged.deletions.map(({ name }) => name),
  );
  return checkNames(judged, { present, below });
}

/**
 * Moves refs of a store by compare-and-set, in a constant number of statements, and has the disk follow. The objects are durable before.
 * Repositories' refs move through `moveRepositoryRefs`, which calls this.
 * @param receipt what the store said when it took the objects
 * @throws ForgeError in mode `all`: `conflict` for a ref that has changed or cannot be beside another one, `invalid` for a name
 */
export async function moveRefs(tx: Tx, storeId: number, updates: readonly RefUpdate[], mode: MoveMode, receipt?: WriteReceipt): Promise<MoveResult> {
  const { deletions, changes, refusals } = await checkMoves(tx, storeId, updates);
  const [first] = refusals;
  if (mode === "all" && first !== undefined) throw refusalError(first);
  if (deletions.length + changes.length === 0) return { moved: [], refused: refusals };
  await deleteRefs(
    tx,
    storeId,
    deletions.map(({ name }) => name),
  );
  await upsertRefs(tx, storeId, changes);
  const addedBytes = receipt?.sizeBytes ?? 0;
  const isShown = receipt?.showsRefs === true;
  await changeStore(tx, storeId, { addedBytes, isShown });
  await enqueueTidyAfter(tx, storeId, addedBytes);
  if (!isShown) announceMove(tx, storeId);
  const granted = new Set([...deletions, ...changes]);
  const moved = updates.filter((update) => granted.has(update)).map(({ name, oldOid, newOid }) => ({ name, oldOid, newOid }));
  return { moved, refused: refusals };
}

/** Makes HEAD stand for another branch, which need not exist. */
export async function setHead(tx: Tx, storeId: number, headRef: string): Promise<void> {
  await changeStore(tx, storeId, { headRef, addedBytes: 0 });
  announceMove(tx, storeId);
}
