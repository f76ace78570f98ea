import type { Db } from "../../../db/db.ts";
import { inTransaction } from "../../../events/in-transaction.ts";
import { newsTypes, tellMentioned, tellNewOwners, tellNews } from "./service/tell.ts";

/** From here on whoever follows what happens has his news of it in the next request. */
export function registerNotificationHandlers(db: Db): void {
  inTransaction(db, newsTypes, tellNews);
  inTransaction(db, ["commit.mentioned"], tellMentioned);
  inTransaction(db, ["repo.transferred", "repo.transfer_requested"], tellNewOwners);
}
