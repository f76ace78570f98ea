import type { Db } from "../db/db.ts";
import { registerNotificationHandlers } from "../features/collaboration/notifications/listener.ts";
import { registerPullHandlers } from "../features/collaboration/pulls/listener.ts";
import { registerLfsHandlers } from "../features/git/lfs/listener.ts";
import { registerHookHandlers } from "../features/integrations/hooks/listener/keep.ts";
import { registerBranchHandlers } from "../features/repositories/branches/listener.ts";
import { registerReleaseHandlers } from "../features/repositories/releases/listener.ts";
import { registerActivityHandlers } from "../features/site/activities/listener.ts";
import { registerAuditHandlers } from "../features/site/audit/listener.ts";

/** What is written with the events of a transaction, before it commits: by the server and by the operator's commands alike. */
export function registerTransactionHandlers(db: Db): void {
  registerPullHandlers(db);
  registerReleaseHandlers(db);
  registerBranchHandlers(db);
  registerAuditHandlers(db);
  registerNotificationHandlers(db);
  registerActivityHandlers(db);
  registerLfsHandlers(db);
  registerHookHandlers(db);
}
