import type { Tx } from "../../../../db/db.ts";
import type { Oid } from "../../../../git/types.ts";
import { hiddenPrefix } from "../model.ts";
import { deleteRefs, upsertRefs } from "../store/refs.ts";
import { changeStore } from "../store/stores.ts";
import { announceMove } from "./projector.ts";

/** Keeps a commit from housekeeping under a name that nobody is told of. */
export interface HeldCommit {
  /** Behind the prefix of hidden refs, `deleted/7`. */
  readonly name: string;
  readonly oid: Oid;
}

/** Holds commits that the store has, under names that nothing else has. Two statements. */
export async function holdCommits(tx: Tx, storeId: number, held: readonly HeldCommit[]): Promise<void> {
  if (held.length === 0) return;
  const facts = { oldOid: null, type: "commit", peeledOid: "", tipMs: 0 } as const;
  await upsertRefs(
    tx,
    storeId,
    held.map(({ name, oid }) => ({ ...facts, name: hiddenPrefix + name, newOid: oid })),
  );
  await moved(tx, storeId);
}

/** Lets commits go that were held: what nothing else leads to is garbage from then on. Two statements. */
export async function releaseCommits(tx: Tx, storeId: number, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await deleteRefs(
    tx,
    storeId,
    names.map((name) => hiddenPrefix + name),
  );
  await moved(tx, storeId);
}

async function moved(tx: Tx, storeId: number): Promise<void> {
  await changeStore(tx, storeId, { addedBytes: 0 });
  announceMove(tx, storeId);
}
