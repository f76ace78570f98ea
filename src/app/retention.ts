import type { Clock } from "../core/clock.ts";
import type { Db } from "../db/db.ts";
import { pruneEvents } from "../events/retention.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { pruneFailedJobs } from "../jobs/retention.ts";

const dayMs = 86_400_000;
/** Delivered events, kept for operators who look into the past. */
const keptEventsMs = 30 * dayMs;
/** Jobs that failed too often to be retried. */
const keptFailedJobsMs = 90 * dayMs;

/** Deletes old rows of the layers below the features. */
export function scheduleRetention(jobs: JobQueue, { db, clock }: { readonly db: Db; readonly clock: Clock }): void {
  jobs.schedule({ name: "retention", everyMs: dayMs, offsetMs: dayMs / 8 }, async () => {
    await pruneEvents({ db }, clock.now() - keptEventsMs);
    await pruneFailedJobs({ db }, clock.now() - keptFailedJobsMs);
  });
}
