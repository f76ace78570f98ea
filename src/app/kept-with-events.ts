import type { Db } from "../db/db.ts";
import { keepActivities } from "../features/activities/listener.ts";
import { keepAuditLog } from "../features/audit/listener.ts";
import { keepDeletedBranches } from "../features/branches/listener.ts";
import { keepHookDeliveries } from "../features/hooks/listener/keep.ts";
import { keepForkedObjects } from "../features/lfs/listener.ts";
import { keepNotifications } from "../features/notifications/listener.ts";
import { keepPulls } from "../features/pulls/listener.ts";
import { keepReleases } from "../features/releases/listener.ts";

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
