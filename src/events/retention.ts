import type { Db } from "../db/db.ts";
import { deleteDispatchedBefore } from "./store.ts";

/** Rows of one statement: short enough that nobody waits behind it. */
const batch = 500;

/** Forgets delivered events from before a time. Meant for a daily schedule. @returns how many went */
export async function pruneEvents(deps: { readonly db: Db }, createdBeforeMs: number): Promise<number> {
  for (let total = 0; ; ) {
    const count = await deps.db.tx((tx) => deleteDispatchedBefore(tx, createdBeforeMs, batch));
    total += count;
    if (count < batch) return total;
  }
}
