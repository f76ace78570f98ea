import type { Log } from "../../../../core/log.ts";
import type { Db, Tx } from "../../../../db/db.ts";

export interface DerivedDeps {
  readonly db: Db;
  readonly log: Log;
}

/** Stores derived data. It can be recomputed from object ids, so a failed write does not fail the request. */
export async function saveDerived(deps: DerivedDeps, save: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await deps.db.tx(save);
  } catch (error) {
    deps.log.warn({ err: error }, "derived commit data could not be stored");
  }
}
