import type { UserActor } from "../../../../access/actor.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { retryFailedJob } from "../../../../jobs/job.ts";
import { countJobs as countAll, countWaiting, deleteFailedJob, type JobCounts, pageJobs } from "../../../../jobs/store.ts";
import { checkStoreJob } from "../../../repositories/refs/service/health.ts";
import { collectStoreJob, tidyStoreJob } from "../../../repositories/refs/service/housekeeping.ts";
import type { JobView } from "../model.ts";

export const listJobs = (deps: { readonly db: Reader }, state: JobView["state"], page: Page): Promise<Paged<JobView>> => pageJobs(deps.db, state, page);

/** The number of jobs by state. One statement. */
export const countJobs = (deps: { readonly db: Reader }): Promise<JobCounts> => countAll(deps.db);

/** The number of stores that wait for maintenance. One statement. */
export const countWaitingStores = ({ db }: { readonly db: Reader }): Promise<number> =>
  countWaiting(
    db,
    [tidyStoreJob, collectStoreJob, checkStoreJob].map(({ kind }) => kind),
  );

/** Retries a failed job with all attempts of a new one. @throws ForgeError `not_found` */
export const retryJob = (deps: { readonly db: Db }, actor: UserActor, id: number): Promise<void> => endFailure(deps, actor, id, "job.retried", retryFailedJob);

/** Drops a failed job. @throws ForgeError `not_found` */
export const dropJob = (deps: { readonly db: Db }, actor: UserActor, id: number): Promise<void> => endFailure(deps, actor, id, "job.dropped", deleteFailedJob);

async function endFailure(
  { db }: { readonly db: Db },
  actor: UserActor,
  id: number,
  event: "job.retried" | "job.dropped",
  change: (tx: Tx, id: number) => Promise<{ readonly kind: string } | undefined>,
): Promise<void> {
  await db.tx(async (tx) => {
    const changed = await change(tx, id);
    if (changed === undefined) throw notFound(`there is no failed job ${id}`);
    await recordEvent(tx, event, { jobId: id, kind: changed.kind }, { by: actor });
  });
}
