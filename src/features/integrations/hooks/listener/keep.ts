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

/** From here on new repositories have the server's default webhooks, and who is to be told of what happens is written with it. */
export function registerHookHandlers(db: Db): void {
  inTransaction(db, ["repo.created"], copyDefaults);
  inTransaction(db, hookedEvents, recordDeliveries);
}

/** @param receivers has nothing else to do: those who are slow to answer hold up each other at most */
export function handleHookJobs(jobs: JobQueue, receivers: JobQueue, deps: ComposeDeps & DeliverDeps): void {
  jobs.handle(composeJob, (run) => composeMessages(deps, run, composeWith(deps)));
  receivers.handle(deliverJob, (run) => deliverHook(deps, run));
}
