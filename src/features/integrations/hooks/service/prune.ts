import type { Db } from "../../../../db/db.ts";
import { deleteMessagesBefore } from "../store/messages.ts";

/** Limits the length of each transaction. */
const batch = 500;

/** Deletes messages created before a time. */
export async function pruneDeliveries(deps: { readonly db: Db }, createdBeforeMs: number): Promise<void> {
  while ((await deps.db.tx((tx) => deleteMessagesBefore(tx, createdBeforeMs, batch))) === batch);
}
