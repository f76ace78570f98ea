import { afterCommit, beforeCommit, defineFeature, worksOn } from "../../../mount/feature.ts";
import { pullChangeRoutes } from "./api/changes.ts";
import { pullMergeRoutes } from "./api/merges.ts";
import { pullRoutes } from "./api/pulls.ts";
import { completePush, completeRetarget } from "./service/after-push.ts";
import type { PullDeps } from "./service/deps.ts";
import { followBranches } from "./service/follow.ts";
import { settleAfterMove } from "./service/merge/contained.ts";
import { mergeWaiting, mergeWaitingJob, tryWaiting } from "./service/merge/schedule.ts";
import { closeOrphans } from "./service/orphans.ts";
import { basePages } from "./web/base.tsx";
import { comparePages } from "./web/compare.tsx";
import { conflictPages } from "./web/conflicts.tsx";
import { pullPages } from "./web.tsx";

export const pullsFeature = defineFeature({
  name: "collaboration/pulls",
  routes: [pullRoutes, pullChangeRoutes, pullMergeRoutes, pullPages, comparePages, basePages, conflictPages],
  inTransaction: [beforeCommit(["refs.changed"], followBranches), beforeCommit(["repo.deleted"], closeOrphans)],
  afterCommit: [
    afterCommit("pulls: pushed heads", ["pull.synchronized"], async (deps: PullDeps, { payload }) => {
      await completePush(deps, payload);
      await mergeWaiting(deps, payload.repoId, { issueId: payload.issueId });
    }),
    afterCommit("pulls: changed bases", ["pull.retargeted"], (deps: PullDeps, { payload }) => completeRetarget(deps, payload)),
    afterCommit("pulls: moved bases", ["refs.changed"], settleAfterMove),
    // The check or review that a merge waits for may have arrived while the wait was recorded.
    afterCommit("pulls: waiting merges", ["pull.merge_scheduled"], (deps: PullDeps, { payload }) =>
      mergeWaiting(deps, payload.repoId, { issueId: payload.issueId }),
    ),
    afterCommit("pulls: checks", ["status.created"], (deps: PullDeps, { payload }) => mergeWaiting(deps, payload.repoId, { headOid: payload.oid })),
    afterCommit("pulls: reviews", ["review.submitted", "review.dismissed", "review.deleted", "review.request_removed"], (deps: PullDeps, { payload }) =>
      mergeWaiting(deps, payload.repoId, { issueId: payload.issueId }),
    ),
    afterCommit("pulls: rules", ["branch_protection.updated", "branch_protection.deleted"], (deps: PullDeps, { payload }) =>
      mergeWaiting(deps, payload.repoId, {}),
    ),
  ],
  jobs: [worksOn(mergeWaitingJob, (deps: PullDeps, { payload }) => tryWaiting(deps, payload))],
});
