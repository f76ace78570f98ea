import type { Log } from "../../../../core/log.ts";
import type { Db, Tx } from "../../../../db/db.ts";

export interface DerivedDeps {
  readonly db: Db;
  readonly log: Log;
}

/** Keeps what was computed for a reader. It follows from object ids and can be computed again, so a database that refuses it spoils no answer. */
export async function saveDerived(deps: DerivedDeps, save: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await deps.db.tx(save);
  } catch (error) {
    deps.log.warn({ err: error }, "what was computed about commits could not be kept");
  }
}
