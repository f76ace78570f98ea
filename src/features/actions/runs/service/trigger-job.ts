import type { Tx } from "../../../../db/db.ts";
import type { EventInTransaction } from "../../../../events/events.ts";
import { defineJob, enqueueAll } from "../../../../jobs/job.ts";

/** The events of pull requests that can start workflows, and the activity types of workflow files that they stand for. */
export const pullActivities = {
  "issue.created": "opened",
  "issue.edited": "edited",
  "issue.closed": "closed",
  "issue.reopened": "reopened",
  "issue.assigned": "assigned",
  "issue.unassigned": "unassigned",
  "issue.labels_changed": "labeled",
  "pull.merged": "closed",
  "pull.synchronized": "synchronize",
  "pull.retargeted": "edited",
} as const;

export type PullActivity = keyof typeof pullActivities;
export const pullActivityTypes = Object.keys(pullActivities) as readonly PullActivity[];

export interface PullTrigger {
  readonly eventId: number;
  readonly repoId: number;
  readonly actorId: number | null;
  readonly number: number;
  readonly activity: string;
}

/** Starts the workflows that an event of a pull request triggers. */
export const pullTriggerJob = defineJob<PullTrigger>("actions.pull_trigger", { maxAttempts: 100, maxRetryMs: 60_000 });

/** Remembers events of pull requests in the transaction that records them; no statement if the repository has no workflows. */
export async function rememberPulls(tx: Tx, events: readonly EventInTransaction<PullActivity>[]): Promise<void> {
  const triggers = events.flatMap(({ id, type, payload, actorId, hasWorkflows }) => {
    if (!hasWorkflows || !payload.isPull) return [];
    const activity = "added" in payload && payload.added.length === 0 ? "unlabeled" : pullActivities[type];
    return [{ payload: { eventId: id, repoId: payload.repoId, actorId, number: payload.number, activity } }];
  });
  await enqueueAll(tx, pullTriggerJob, triggers);
}
