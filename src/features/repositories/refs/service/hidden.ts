import type { Tx } from "../../../../db/db.ts";
import type { Oid } from "../../../../git/types.ts";
import { hiddenPrefix } from "../model.ts";
import { deleteRefs, upsertRefs } from "../store/refs.ts";
import { announceMove } from "./projector.ts";
import { recordMove } from "./set-aside.ts";

/** A commit protected from housekeeping by a hidden ref. */
export interface HeldCommit {
  /** The ref name after the prefix of hidden refs, such as `deleted/7`. */
  readonly name: string;
  readonly oid: Oid;
}

/** Protects commits of the store under unused names. Three statements. */
export async function holdCommits(tx: Tx, storeId: number, held: readonly HeldCommit[]): Promise<void> {
  if (held.length === 0) return;
  const values = { oldOid: null, type: "commit", peeledOid: "", tipMs: 0 } as const;
  await upsertRefs(
    tx,
    storeId,
    held.map(({ name, oid }) => ({ ...values, name: hiddenPrefix + name, newOid: oid })),
  );
  await moved(
    tx,
    storeId,
    held.map(({ name }) => hiddenPrefix + name),
  );
}

/** Removes the protection; commits that are not reachable otherwise become garbage. Three statements. */
export async function releaseCommits(tx: Tx, storeId: number, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const movedNames = names.map((name) => hiddenPrefix + name);
  await deleteRefs(tx, storeId, movedNames);
  await moved(tx, storeId, movedNames);
}

async function moved(tx: Tx, storeId: number, movedNames: readonly string[]): Promise<void> {
  await recordMove(tx, storeId, { addedBytes: 0, movedNames });
  announceMove(tx, storeId);
}
