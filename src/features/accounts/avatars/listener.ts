import type { JobQueue } from "../../../jobs/queue.ts";
import { type SweepDeps, sweepAvatars } from "./service/sweep.ts";

const dayMs = 86_400_000;

/** Registers the background jobs for pictures. */
export function handleAvatarJobs(jobs: JobQueue, deps: SweepDeps): void {
  jobs.schedule({ name: "sweep_avatars", everyMs: dayMs, offsetMs: dayMs / 5 }, async () => {
    await sweepAvatars(deps);
  });
}
