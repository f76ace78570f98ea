import type { Db } from "../db/db.ts";
import { deleteDispatchedBefore } from "./store.ts";

/** Rows per statement: few enough that other transactions do not wait long. */
const batch = 500;

/** Deletes delivered events older than the given time. For a daily schedule. @returns the number of deleted events */
export async function pruneEvents(deps: { readonly db: Db }, createdBeforeMs: number): Promise<number> {
  for (let total = 0; ; ) {
    const count = await deps.db.tx((tx) => deleteDispatchedBefore(tx, createdBeforeMs, batch));
    total += count;
    if (count < batch) return total;
  }
}
