import type { Reader, Tx } from "./db.ts";
import { deleteServerValue, readServerValue, writeServerValue } from "./server-values.ts";

/**
 * A server that was filled from another one, which may still be in use. Work that it would do on its own and that others notice, such as pushes to
 * mirrors, waits until the operator ends the trial.
 */
const name = "trial";

export const beginTrial = (tx: Tx): Promise<void> => writeServerValue(tx, name, String(tx.nowMs));
export const endTrial = (tx: Tx): Promise<void> => deleteServerValue(tx, name);
export const isTrial = async (db: Reader): Promise<boolean> => (await readServerValue(db, name)) !== undefined;
