import { afterCommit, beforeCommit, defineFeature, worksOn } from "../../../mount/feature.ts";
import { protocolRoutes } from "./api/protocol.ts";
import { runRoutes } from "./api/runs.ts";
import { workflowRoutes } from "./api/workflows.ts";
import { startForPullEvent } from "./listener/pulls.ts";
import { startForPush } from "./listener/pushes.ts";
import { advanceRun } from "./service/advance.ts";
import { advanceJob } from "./service/advance-job.ts";
import { sweepJob } from "./service/sweep-job.ts";
import { runSweep } from "./service/tasks.ts";
import { pullActivityTypes, pullTriggerJob, rememberPulls } from "./service/trigger-job.ts";
import { runPages } from "./web.tsx";

export const runsFeature = defineFeature({
  name: "actions/runs",
  routes: [protocolRoutes, runRoutes, workflowRoutes, runPages],
  inTransaction: [beforeCommit(pullActivityTypes, rememberPulls)],
  afterCommit: [afterCommit("actions: pushes", ["refs.changed"], startForPush)],
  jobs: [worksOn(advanceJob, advanceRun, "actions"), worksOn(pullTriggerJob, startForPullEvent, "actions"), worksOn(sweepJob, runSweep, "actions")],
});
