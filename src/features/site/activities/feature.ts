import type { Clock } from "../../../core/clock.ts";
import type { Db } from "../../../db/db.ts";
import { beforeCommit, defineFeature } from "../../../mount/feature.ts";
import { activityEvents } from "./activity-payloads.ts";
import { activityRoutes } from "./api.ts";
import { pruneActivities, writeActivities } from "./service/record.ts";
import { activityPages } from "./web.tsx";

const dayMs = 86_400_000;
const keptMs = 732 * dayMs;

export const activitiesFeature = defineFeature({
  name: "site/activities",
  routes: [activityRoutes, activityPages],
  inTransaction: [beforeCommit(activityEvents, writeActivities)],
  schedules: [
    {
      name: "delete_old_actions",
      everyMs: dayMs,
      offsetMs: dayMs / 8,
      run: (deps: { readonly db: Db; readonly clock: Clock }) => pruneActivities(deps, deps.clock.now() - keptMs),
    },
  ],
});
