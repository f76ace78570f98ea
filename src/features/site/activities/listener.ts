import type { Db } from "../../../db/db.ts";
import { inTransaction } from "../../../events/in-transaction.ts";
import { activityEvents } from "./activity-payloads.ts";
import { writeActivities } from "./service/record.ts";

/** From here on what people do is in feeds, in the transaction in which they do it. */
export const registerActivityHandlers = (db: Db): void => void inTransaction(db, activityEvents, writeActivities);
