import { afterCommit, beforeCommit, defineFeature, worksOn } from "../../../mount/feature.ts";
import { ownerRunRoutes } from "./api/owners.ts";
import { protocolRoutes } from "./api/protocol.ts";
import { runRoutes } from "./api/runs.ts";
import { workflowRoutes } from "./api/workflows.ts";
import { artifactRoutes } from "./artifacts/api/artifacts.ts";
import { resultsRoutes } from "./artifacts/api/results.ts";
import { expireArtifacts, expireLogs } from "./artifacts/service/artifacts.ts";
import { cacheRoutes } from "./caches/api.ts";
import { expireCaches } from "./caches/service.ts";
import { identityRoutes } from "./identity/api.ts";
import { rotateIdentityKeys } from "./identity/service/keys.ts";
import { startForOtherRun, startForTime, startForTrigger } from "./listener/events.ts";
import { startForPush } from "./listener/pushes.ts";
import { requiredPages } from "./required/web.tsx";
import { advanceRun } from "./service/advance.ts";
import { advanceJob } from "./service/advance-job.ts";
import { followDefault } from "./service/default-branch.ts";
import type { RunsDeps } from "./service/deps.ts";
import { sweepJob } from "./service/sweep-job.ts";
import { runSweep } from "./service/tasks.ts";
import { followJob, rememberDefault, rememberTriggers, runTriggerJob, triggerJob, triggerTypes } from "./service/triggers.ts";
import { summaryRoutes } from "./summaries/api.ts";
import { runPages } from "./web.tsx";

const minuteMs = 60_000;
const dayMs = 86_400_000;

export const runsFeature = defineFeature({
  name: "actions/runs",
  routes: [
    protocolRoutes,
    resultsRoutes,
    cacheRoutes,
    summaryRoutes,
    artifactRoutes,
    identityRoutes,
    runRoutes,
    ownerRunRoutes,
    workflowRoutes,
    runPages,
    requiredPages,
  ],
  inTransaction: [beforeCommit(triggerTypes, rememberTriggers), beforeCommit(["repo.updated"], rememberDefault)],
  afterCommit: [afterCommit("actions: pushes", ["refs.changed"], startForPush)],
  jobs: [
    worksOn(advanceJob, advanceRun, "actions"),
    worksOn(triggerJob, startForTrigger, "actions"),
    worksOn(runTriggerJob, startForOtherRun, "actions"),
    worksOn(followJob, (deps: RunsDeps, { payload: { repoId } }) => followDefault(deps, repoId), "actions"),
    worksOn(sweepJob, runSweep, "actions"),
  ],
  schedules: [
    { name: "start_scheduled_workflows", everyMs: minuteMs, run: startForTime },
    { name: "expire_action_caches", everyMs: dayMs, offsetMs: dayMs / 8, run: expireCaches },
    { name: "expire_artifacts", everyMs: dayMs / 24, run: expireArtifacts },
    { name: "rotate_identity_keys", everyMs: dayMs, run: rotateIdentityKeys },
    { name: "expire_action_logs", everyMs: dayMs, offsetMs: dayMs / 12, run: expireLogs },
  ],
});
