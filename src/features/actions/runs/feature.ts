import { afterCommit, beforeCommit, defineFeature, worksOn } from "../../../mount/feature.ts";
import { ownerRunRoutes } from "./api/owners.ts";
import { protocolRoutes } from "./api/protocol.ts";
import { runRoutes } from "./api/runs.ts";
import { workflowRoutes } from "./api/workflows.ts";
import { artifactRoutes } from "./artifacts/api/artifacts.ts";
import { resultsRoutes } from "./artifacts/api/results.ts";
import { expireArtifacts, expireLogs } from "./artifacts/service/artifacts.ts";
import { identityRoutes } from "./identity/api.ts";
import { rotateIdentityKeys } from "./identity/service/keys.ts";
import { startForPullEvent } from "./listener/pulls.ts";
import { startForPush } from "./listener/pushes.ts";
import { advanceRun } from "./service/advance.ts";
import { advanceJob } from "./service/advance-job.ts";
import { sweepJob } from "./service/sweep-job.ts";
import { runSweep } from "./service/tasks.ts";
import { pullActivityTypes, pullTriggerJob, rememberPulls } from "./service/trigger-job.ts";
import { runPages } from "./web.tsx";

const dayMs = 86_400_000;

export const runsFeature = defineFeature({
  name: "actions/runs",
  routes: [protocolRoutes, resultsRoutes, artifactRoutes, identityRoutes, runRoutes, ownerRunRoutes, workflowRoutes, runPages],
  inTransaction: [beforeCommit(pullActivityTypes, rememberPulls)],
  afterCommit: [afterCommit("actions: pushes", ["refs.changed"], startForPush)],
  jobs: [worksOn(advanceJob, advanceRun, "actions"), worksOn(pullTriggerJob, startForPullEvent, "actions"), worksOn(sweepJob, runSweep, "actions")],
  schedules: [
    { name: "expire_artifacts", everyMs: dayMs / 24, run: expireArtifacts },
    { name: "rotate_identity_keys", everyMs: dayMs, run: rotateIdentityKeys },
    { name: "expire_action_logs", everyMs: dayMs, offsetMs: dayMs / 12, run: expireLogs },
  ],
});
