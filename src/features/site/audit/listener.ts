import type { Db } from "../../../db/db.ts";
import { inTransaction } from "../../../events/in-transaction.ts";
import { accessEventTypes } from "./describe.ts";
import { writeEntries } from "./service.ts";

/** From here on every change of access is in the audit log, or has not happened. */
export const registerAuditHandlers = (db: Db): void => void inTransaction(db, accessEventTypes, writeEntries);
