import type { Tx } from "../../../db/db.ts";
import { deleteAudience } from "../store/audience.ts";

/** Ends an account's watches and stars, inside the transaction that ends the account, so that repositories stop counting them. */
export const forgetAudience = (tx: Tx, accountId: number): Promise<void> => deleteAudience(tx, accountId);
