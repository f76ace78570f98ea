import type { JobQueue } from "../../../jobs/queue.ts";
import { type SweepDeps, sweepFiles } from "./service/upkeep.ts";

const dayMs = 86_400_000;

/** What is done later about uploaded files. */
export function handleFileJobs(jobs: JobQueue, deps: SweepDeps): void {
  jobs.schedule({ name: "sweep_files", everyMs: dayMs, offsetMs: dayMs / 3 }, async () => {
    await sweepFiles(deps);
  });
}
