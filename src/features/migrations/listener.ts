import type { JobQueue } from "../../jobs/queue.ts";
import { forgetEnded, type RunningDeps } from "./service/running.ts";

/** What is done later about migrations. */
export function handleMigrationJobs(jobs: JobQueue, deps: Pick<RunningDeps, "db">): void {
  jobs.schedule({ name: "forget_ended_migrations", everyMs: 10 * 60_000 }, () => forgetEnded(deps));
}
