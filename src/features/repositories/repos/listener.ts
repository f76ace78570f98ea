import type { JobQueue } from "../../../jobs/queue.ts";
import { describeContentJob } from "./service/content-job.ts";
import { type DescribeContentDeps, describeContent } from "./service/describe-content.ts";
import { removeStore, removeStoreJob, type SweepDeps, sweepRepositories } from "./service/sweep.ts";

const dayMs = 86_400_000;

/** What is done later about repositories. */
export function handleRepositoryJobs(jobs: JobQueue, deps: DescribeContentDeps & SweepDeps): void {
  jobs.handle(describeContentJob, (run) => describeContent(deps, run.payload.repoId, run));
  jobs.handle(removeStoreJob, (run) => removeStore(deps, run.payload.storeId));
  jobs.schedule({ name: "sweep_repositories", everyMs: dayMs, offsetMs: dayMs / 6 }, async () => {
    await sweepRepositories(deps);
  });
}
