import type { Db } from "../../db/db.ts";
import { inTransaction } from "../../events/in-transaction.ts";
import { newsTypes, tellNews } from "./service/tell.ts";

/** From here on whoever follows what happens has his news of it in the next request. */
export const keepNotifications = (db: Db): void => void inTransaction(db, newsTypes, tellNews);
