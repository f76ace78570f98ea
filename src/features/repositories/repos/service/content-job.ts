import type { Tx } from "../../../../db/db.ts";
import { defineJob, enqueue } from "../../../../jobs/job.ts";

/** Successive changes within this time are analysed once. */
const delayMs = 1_000;

/** Analyses the languages and licenses of the default branch. At most one job per repository is queued. */
export const describeContentJob = defineJob<{ readonly repoId: number }>("repos.describe-content");

export const enqueueDescribeContent = (tx: Tx, repoId: number): Promise<void> =>
  enqueue(tx, describeContentJob, { repoId }, { dedupeKey: String(repoId), runAtMs: tx.nowMs + delayMs });
