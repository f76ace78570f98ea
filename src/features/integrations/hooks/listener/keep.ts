import type { Db } from "../../../../db/db.ts";
import { inTransaction } from "../../../../events/in-transaction.ts";
import type { JobQueue } from "../../../../jobs/queue.ts";
import { hookedEvents } from "../messages.ts";
import { composeMessages } from "../service/compose.ts";
import { copyDefaults } from "../service/defaults.ts";
import { type DeliverDeps, deliverHook } from "../service/deliver.ts";
import { deliverJob } from "../service/deliver-job.ts";
import { composeJob, recordDeliveries } from "../service/record.ts";
import { composeWith } from "./compose.ts";
import type { ComposeDeps } from "./payload-context.ts";

/** Registers the transaction handlers that copy default webhooks into new repositories and record deliveries. */
export function registerHookHandlers(db: Db): void {
  inTransaction(db, ["repo.created"], copyDefaults);
  inTransaction(db, hookedEvents, recordDeliveries);
}

/** @param receivers a job queue only for deliveries, so that slow receivers delay only each other */
export function handleHookJobs(jobs: JobQueue, receivers: JobQueue, deps: ComposeDeps & DeliverDeps): void {
  jobs.handle(composeJob, (run) => composeMessages(deps, run, composeWith(deps)));
  receivers.handle(deliverJob, (run) => deliverHook(deps, run));
}
