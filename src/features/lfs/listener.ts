import type { JobQueue } from "../../jobs/queue.ts";
import type { LfsDeps } from "./service/deps.ts";
import { sweepLfsFiles } from "./service/sweep.ts";

const dayMs = 86_400_000;

/** What is done later about large files. */
export function handleLfsJobs(jobs: JobQueue, deps: Pick<LfsDeps, "db" | "lfsFiles" | "clock">): void {
  jobs.schedule({ name: "sweep_lfs", everyMs: dayMs, offsetMs: (dayMs * 3) / 8 }, async () => {
    await sweepLfsFiles(deps);
  });
}
