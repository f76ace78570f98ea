import type { Db } from "../../../db/db.ts";
import { inTransaction } from "../../../events/in-transaction.ts";
import { shareObjects } from "./service/share.ts";

/** A fork or a repository made from a template gets its origin's LFS objects, because the copied commits contain pointers to them. */
export function registerLfsHandlers(db: Db): void {
  inTransaction(db, ["repo.forked"], async (tx, events) => {
    for (const { payload } of events) await shareObjects(tx, payload.parentId, payload.repoId);
  });
  inTransaction(db, ["repo.generated"], async (tx, events) => {
    for (const { payload } of events) if (payload.items.includes("git_content")) await shareObjects(tx, payload.templateId, payload.repoId);
  });
}
