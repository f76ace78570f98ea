import type { Db } from "../../../../db/db.ts";
import { deleteMessagesBefore } from "../store/messages.ts";

/** A transaction is not held up by more. */
const batch = 500;

/** Forgets what was told before a time. */
export async function pruneDeliveries(deps: { readonly db: Db }, createdBeforeMs: number): Promise<void> {
  while ((await deps.db.tx((tx) => deleteMessagesBefore(tx, createdBeforeMs, batch))) === batch);
}
