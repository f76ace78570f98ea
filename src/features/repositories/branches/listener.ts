import type { Db } from "../../../db/db.ts";
import { inTransaction } from "../../../events/in-transaction.ts";
import { keepDeleted } from "./service/deleted.ts";

/** From here on no branch that somebody deletes is lost at once. */
export const registerBranchHandlers = (db: Db): void => void inTransaction(db, ["refs.changed"], keepDeleted);
