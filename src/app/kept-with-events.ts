import type { Db } from "../db/db.ts";
import { keepNotifications } from "../features/collaboration/notifications/listener.ts";
import { keepPulls } from "../features/collaboration/pulls/listener.ts";
import { keepForkedObjects } from "../features/git/lfs/listener.ts";
import { keepHookDeliveries } from "../features/integrations/hooks/listener/keep.ts";
import { keepDeletedBranches } from "../features/repositories/branches/listener.ts";
import { keepReleases } from "../features/repositories/releases/listener.ts";
import { keepActivities } from "../features/site/activities/listener.ts";
import { keepAuditLog } from "../features/site/audit/listener.ts";

/** What is written with the events of a transaction, before it commits: by the server and by the operator's commands alike. */
export function keepWithEvents(db: Db): void {
  keepPulls(db);
  keepReleases(db);
  keepDeletedBranches(db);
  keepAuditLog(db);
  keepNotifications(db);
  keepActivities(db);
  keepForkedObjects(db);
  keepHookDeliveries(db);
}
