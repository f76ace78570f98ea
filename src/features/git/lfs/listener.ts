import type { Db } from "../../../db/db.ts";
import { inTransaction } from "../../../events/in-transaction.ts";
import { shareObjects } from "./service/share.ts";

/** What is forked or made of a template has the large files that its origin has at that moment: the pointers to them come with the commits. */
export function registerLfsHandlers(db: Db): void {
  inTransaction(db, ["repo.forked"], async (tx, events) => {
    for (const { payload } of events) await shareObjects(tx, payload.parentId, payload.repoId);
  });
  inTransaction(db, ["repo.generated"], async (tx, events) => {
    for (const { payload } of events) if (payload.items.includes("git_content")) await shareObjects(tx, payload.templateId, payload.repoId);
  });
}
