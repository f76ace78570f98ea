import type { Clock } from "../../core/clock.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { sweepAttachments, type UpkeepDeps } from "./service/upkeep.ts";

const dayMs = 86_400_000;

/** What is done later about attachments. */
export function handleAttachmentJobs(jobs: JobQueue, deps: UpkeepDeps & { readonly clock: Clock }): void {
  jobs.schedule({ name: "sweep_attachments", everyMs: dayMs, offsetMs: dayMs / 3 }, async () => {
    await sweepAttachments(deps);
  });
}
