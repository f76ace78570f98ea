import type { Db } from "../../db/db.ts";
import { inTransaction } from "../../events/in-transaction.ts";
import { copyDefaults } from "./service/defaults.ts";

/** From here on new repositories have the server's default webhooks, and what happens is kept for those who want to hear of it. */
export function keepHookDeliveries(db: Db): void {
  inTransaction(db, ["repo.created"], copyDefaults);
}
