import type { Reader, Tx } from "../../../../db/db.ts";
import type { WriteReceipt } from "../../../../git/objects/write.ts";
import { type CheckedMoves, checkNames, checkValues, namesToLoad, type RefMove, type RefRefusal, type RefUpdate, refusalError } from "../moves.ts";
import { deleteRefs, loadRefs, loadRefsBelow, upsertRefs } from "../store/refs.ts";
import { changeStore, countWrite } from "../store/stores.ts";
import { enqueueTidyAfter } from "./housekeeping.ts";
import { announceObjects } from "./packs.ts";
import { announceMove } from "./projector.ts";
import { recordMove } from "./set-aside.ts";

/** `all`: performs all updates or throws. `each`: performs the valid updates and reports the others. */
export type MoveMode = "all" | "each";

export interface MoveResult {
  /** Refs that changed, in the order of the updates. */
  readonly moved: readonly RefMove[];
  /** Always empty in mode `all`. */
  readonly refused: readonly RefRefusal[];
}

/**
 * Checks every update on its own against the present refs. At most two statements for each 2,000 names.
 * Deletions are processed first, so that one request can replace `a` by `a/b`.
 */
export async function checkMoves(db: Reader, storeId: number, updates: readonly RefUpdate[]): Promise<CheckedMoves> {
  const present = await loadRefs(db, storeId, await namesToLoad(updates));
  const checked = await checkValues(updates, present);
  const made = checked.changes.filter(({ oldOid }) => oldOid === null).map(({ name }) => name);
  if (made.length === 0) return checked;
  const below = await loadRefsBelow(
    db,
    storeId,
    made,
    checked.deletions.map(({ name }) => name),
  );
  return checkNames(checked, { present, below });
}

/**
 * Moves refs of a store by compare-and-set, in a constant number of statements for each 2,000 refs, and schedules their projection to disk. The objects must be
 * durable already. Refs of repositories are moved by `moveRepositoryRefs`, which calls this function.
 * @param receipt returned by the store when it accepted the objects
 * @throws ForgeError in mode `all`: `conflict` for a ref that has changed or whose name conflicts with another one, `invalid` for a name
 */
export async function moveStoreRefs(tx: Tx, storeId: number, updates: readonly RefUpdate[], mode: MoveMode, receipt?: WriteReceipt): Promise<MoveResult> {
  const { deletions, changes, refusals } = await checkMoves(tx, storeId, updates);
  const [first] = refusals;
  if (mode === "all" && first !== undefined) throw refusalError(first);
  const addedBytes = receipt?.sizeBytes ?? 0;
  announceObjects(tx, storeId);
  if (deletions.length + changes.length === 0) {
    if (addedBytes > 0) await enqueueTidyAfter(tx, storeId, { addedBytes: 0, writes: await countWrite(tx, storeId) });
    return { moved: [], refused: refusals };
  }
  await deleteRefs(
    tx,
    storeId,
    deletions.map(({ name }) => name),
  );
  await upsertRefs(tx, storeId, changes);
  const isShown = receipt?.showsRefs === true;
  const movedNames = [...deletions, ...changes].map(({ name }) => name);
  const { writes } = await recordMove(tx, storeId, { addedBytes, isShown, movedNames });
  await enqueueTidyAfter(tx, storeId, { addedBytes, writes });
  if (!isShown) announceMove(tx, storeId);
  const granted = new Set([...deletions, ...changes]);
  const moved = updates.filter((update) => granted.has(update)).map(({ name, oldOid, newOid }) => ({ name, oldOid, newOid }));
  return { moved, refused: refusals };
}

/** Points HEAD to another branch, which need not exist. */
export async function setHead(tx: Tx, storeId: number, headRef: string): Promise<void> {
  await changeStore(tx, storeId, { headRef, addedBytes: 0, movedNames: ["HEAD"] });
  announceMove(tx, storeId);
}
