import { defineJob } from "../../../../jobs/job.ts";

/** Decides what follows from the jobs of a run that have ended. One at a time per run. */
export const advanceJob = defineJob<{ readonly runId: number }>("actions.advance", { maxAttempts: 1_000, maxRetryMs: 60_000 });
