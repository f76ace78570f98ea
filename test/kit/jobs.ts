import type { Clock } from "../../src/core/clock.ts";
import type { Db } from "../../src/db/db.ts";
import { defineJob, type EnqueueOptions, enqueue } from "../../src/jobs/job.ts";
import { createJobQueue, type JobQueue, type JobQueueOptions } from "../../src/jobs/queue.ts";
import { silentLog } from "./logs.ts";

// For the tests of src/jobs.

export const minute = 60_000;

export const greet = defineJob<{ name: string }>("test.greet", { maxAttempts: 3, firstRetryMs: 1_000, maxRetryMs: 10_000 });

export const queueOf = (db: Db, clock: Clock, options?: JobQueueOptions): JobQueue => createJobQueue({ db, clock, log: silentLog }, options);

export const add = (db: Db, name: string, options?: EnqueueOptions): Promise<void> => db.tx((tx) => enqueue(tx, greet, { name }, options));

export const rowsOf = (db: Db) => db.sql.selectFrom("jobs").selectAll().orderBy("id").execute();
