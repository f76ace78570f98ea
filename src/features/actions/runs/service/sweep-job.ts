import { defineJob } from "../../../../jobs/job.ts";

/** Looks for silent runners while tasks run. */
export const sweepJob = defineJob<null>("actions.sweep", { maxAttempts: 1_000, maxRetryMs: 10_000 });
export const sweepKey = "tasks";
export const sweepEveryMs = 10_000;
