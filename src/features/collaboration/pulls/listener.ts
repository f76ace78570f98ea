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

/** Pull requests follow their branches, and go with their heads' repositories. */
export function registerPullHandlers(db: Db): void {
  inTransaction(db, ["refs.changed"], followBranches);
  inTransaction(db, ["repo.deleted"], closeOrphans);
}

/** What takes reading objects: pushes are completed, and merges that wait are tried when something has come that they may wait for. */
export function listenForPulls(dispatcher: Dispatcher, jobs: JobQueue, deps: PullDeps): void {
  dispatcher.on("pulls: pushed heads", ["pull.synchronized"], async ({ payload }) => {
    await completePush(deps, payload);
    await mergeWaiting(deps, payload.repoId, { issueId: payload.issueId });
  });
  dispatcher.on("pulls: moved bases", ["refs.changed"], (event) => settleAfterMove(deps, event));
  // What it waits for may have come while it was written down that it waits.
  dispatcher.on("pulls: waiting merges", ["pull.merge_scheduled"], ({ payload }) => mergeWaiting(deps, payload.repoId, { issueId: payload.issueId }));
  dispatcher.on("pulls: checks", ["status.created"], ({ payload }) => mergeWaiting(deps, payload.repoId, { headOid: payload.oid }));
  dispatcher.on("pulls: reviews", ["review.submitted", "review.dismissed", "review.deleted", "review.request_removed"], ({ payload }) =>
    mergeWaiting(deps, payload.repoId, { issueId: payload.issueId }),
  );
  dispatcher.on("pulls: rules", ["branch_protection.updated", "branch_protection.deleted"], ({ payload }) => mergeWaiting(deps, payload.repoId, {}));
  jobs.handle(mergeWaitingJob, ({ payload }) => tryWaiting(deps, payload));
}
