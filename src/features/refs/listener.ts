import type { JobQueue } from "../../jobs/queue.ts";
import { type ProjectionDeps, projectRefsJob, projectStore } from "./service/projection.ts";

/** What is done later about refs. */
export function handleRefJobs(jobs: JobQueue, deps: ProjectionDeps): void {
  jobs.handle(projectRefsJob, ({ payload, tx }) => projectStore(deps, payload.storeId, tx));
}
