import type { Db } from "../../../db/db.ts";
import type { Dispatcher } from "../../../events/dispatcher.ts";
import { inTransaction } from "../../../events/in-transaction.ts";
import type { JobQueue } from "../../../jobs/queue.ts";
import { completePush } from "./service/after-push.ts";
import type { PullDeps } from "./service/deps.ts";
import { followBranches } from "./service/follow.ts";
import { settleAfterMove } from "./service/merge/contained-later.ts";
import { mergeWaiting, mergeWaitingJob, tryWaiting } from "./service/merge/schedule.ts";
import { closeOrphans } from "./service/orphans.ts";

/** Updates pull requests when their branches change, and closes them when their head repository is deleted. */
export function registerPullHandlers(db: Db): void {
  inTransaction(db, ["refs.changed"], followBranches);
  inTransaction(db, ["repo.deleted"], closeOrphans);
}

/** Work that reads objects: completes pushes, and tries auto merges when something that they may wait for has arrived. */
export function listenForPulls(dispatcher: Dispatcher, jobs: JobQueue, deps: PullDeps): void {
  dispatcher.on("pulls: pushed heads", ["pull.synchronized"], async ({ payload }) => {
    await completePush(deps, payload);
    await mergeWaiting(deps, payload.repoId, { issueId: payload.issueId });
  });
  dispatcher.on("pulls: moved bases", ["refs.changed"], (event) => settleAfterMove(deps, event));
  // The missing condition may have been met while the auto merge was being stored.
  dispatcher.on("pulls: waiting merges", ["pull.merge_scheduled"], ({ payload }) => mergeWaiting(deps, payload.repoId, { issueId: payload.issueId }));
  dispatcher.on("pulls: checks", ["status.created"], ({ payload }) => mergeWaiting(deps, payload.repoId, { headOid: payload.oid }));
  dispatcher.on("pulls: reviews", ["review.submitted", "review.dismissed", "review.deleted", "review.request_removed"], ({ payload }) =>
    mergeWaiting(deps, payload.repoId, { issueId: payload.issueId }),
  );
  dispatcher.on("pulls: rules", ["branch_protection.updated", "branch_protection.deleted"], ({ payload }) => mergeWaiting(deps, payload.repoId, {}));
  jobs.handle(mergeWaitingJob, ({ payload }) => tryWaiting(deps, payload));
}
