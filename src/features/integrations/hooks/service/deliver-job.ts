import { defineJob } from "../../../../jobs/job.ts";

export interface Receiver {
  readonly hookId: number;
}

/** Tells one webhook what waits for it. It is leased by its key: nobody else calls the same webhook meanwhile. */
export const deliverJob = defineJob<Receiver>("hooks.deliver", { maxAttempts: 1_000, maxRetryMs: 60_000 });

export const receiverKey = (hookId: number): string => String(hookId);
