import { defineJob } from "../../../../jobs/job.ts";

export interface Receiver {
  readonly hookId: number;
}

/** Sends the pending deliveries of one webhook. The job key ensures that only one worker calls a webhook at a time. */
export const deliverJob = defineJob<Receiver>("hooks.deliver", { maxAttempts: 1_000, maxRetryMs: 60_000 });

export const receiverKey = (hookId: number): string => String(hookId);
