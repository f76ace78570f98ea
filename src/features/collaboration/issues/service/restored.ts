import type { Tx } from "../../../../db/db.ts";
import { separateUpdates } from "../store/rows.ts";

/** Adapts the issues of a restored database, which can have been PostgreSQL and now be SQLite. */
export const adaptRestored = (tx: Tx): Promise<void> => separateUpdates(tx);
