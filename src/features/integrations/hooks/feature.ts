import type { Config } from "../../../config/config.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Db } from "../../../db/db.ts";
import { beforeCommit, defineFeature, worksOn } from "../../../mount/feature.ts";
import { deliveryRoutes } from "./api/deliveries.ts";
import { gitHookRoutes } from "./api/git-hooks.ts";
import { hookRoutes } from "./api/hooks.ts";
import { hookedEvents } from "./messages.ts";
import { composeWith } from "./payloads/compose.ts";
import type { ComposeDeps } from "./payloads/payload-context.ts";
import { composeMessages } from "./service/compose.ts";
import { copyDefaults } from "./service/defaults.ts";
import { deliverHook } from "./service/deliver.ts";
import { deliverJob } from "./service/deliver-job.ts";
import { pruneDeliveries } from "./service/prune.ts";
import { composeJob, recordDeliveries } from "./service/record.ts";
import { hookPages } from "./web/hooks.tsx";

const dayMs = 86_400_000;

export const hooksFeature = defineFeature({
  name: "integrations/hooks",
  routes: [hookRoutes, deliveryRoutes, hookPages, gitHookRoutes],
  inTransaction: [beforeCommit(["repo.created"], copyDefaults), beforeCommit(hookedEvents, recordDeliveries)],
  jobs: [
    worksOn(composeJob, (deps: ComposeDeps, run) => composeMessages(deps, run, composeWith(deps))),
    // Receivers that respond slowly delay each other at most.
    worksOn(deliverJob, deliverHook, "webhooks"),
  ],
  schedules: [
    {
      name: "cleanup_hook_task_table",
      everyMs: dayMs,
      offsetMs: dayMs / 24,
      run: (deps: { readonly db: Db; readonly clock: Clock; readonly config: Config }) =>
        pruneDeliveries(deps, deps.clock.now() - deps.config.webhook.keep_days * dayMs),
    },
  ],
});
