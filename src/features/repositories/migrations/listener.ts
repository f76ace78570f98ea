import type { JobQueue } from "../../../jobs/queue.ts";
import { migrateJob, type RunDeps, runMigration } from "./service/run.ts";
import { forgetEnded } from "./service/watch.ts";

/** What is done later about migrations. @param migrating waits for remotes, so that nothing else has to */
export function handleMigrationJobs(jobs: JobQueue, migrating: JobQueue, deps: RunDeps): void {
  migrating.handle(migrateJob, (run) => runMigration(deps, run));
  jobs.schedule({ name: "forget_ended_migrations", everyMs: 24 * 3_600_000 }, () => forgetEnded(deps));
}
