import type { Tx } from "../../../../db/db.ts";
import { defineJob, enqueue } from "../../../../jobs/job.ts";

/** Changes that follow each other are looked at together. */
const delayMs = 1_000;

/** Looks at what the default branch holds now: languages, licenses. One waiting job a repository is enough. */
export const describeContentJob = defineJob<{ readonly repoId: number }>("repos.describe-content");

export const enqueueDescribeContent = (tx: Tx, repoId: number): Promise<void> =>
  enqueue(tx, describeContentJob, { repoId }, { dedupeKey: String(repoId), runAtMs: tx.nowMs + delayMs });
