import type { Tx } from "../../../../db/db.ts";
import { enqueue } from "../../../../jobs/job.ts";
import { combineResults, type JobRow, type Result, type RunRow } from "../model.ts";
import { endJobs, listJobs, queueJobs, updateJob } from "../store/jobs.ts";
import { listOpenInGroup, updateRun } from "../store/runs.ts";
import { finishTask } from "../store/tasks.ts";
import { advanceJob } from "./advance-job.ts";
import { reportJobs } from "./statuses.ts";
import { rememberRun } from "./triggers.ts";

/** A run with the path of its repository, for links. */
export interface RunPlace {
  readonly run: RunRow;
  readonly fullName: string;
}

export const advance = (tx: Tx, runId: number): Promise<void> => enqueue(tx, advanceJob, { runId }, { dedupeKey: String(runId) });

/** The blocked jobs that may wait for a runner now: expanded, and within the limit of their matrix. */
function releasable(jobs: readonly JobRow[]): readonly JobRow[] {
  const active = new Map<string, number>();
  for (const { key, status } of jobs) if (status === "waiting" || status === "running") active.set(key, (active.get(key) ?? 0) + 1);
  return jobs.filter(({ key, status, isExpanded, maxParallel }) => {
    if (status !== "blocked" || !isExpanded) return false;
    const count = active.get(key) ?? 0;
    if (maxParallel !== null && count >= maxParallel) return false;
    active.set(key, count + 1);
    return true;
  });
}

/** Lets the jobs of a run wait for runners, which are woken after the commit. */
export async function releaseJobs(tx: Tx, { run, fullName }: RunPlace, jobs: readonly JobRow[]): Promise<boolean> {
  const released = releasable(jobs);
  if (released.length === 0) return false;
  await queueJobs(
    tx,
    run.repoId,
    released.map(({ id }) => id),
  );
  await reportJobs(
    tx,
    run,
    fullName,
    released.map((job) => ({ ...job, status: "waiting" as const })),
  );
  tx.announce("actions", "waiting");
  return true;
}

/** Ends jobs that have not ended, and takes them from their runners. */
export async function stopJobs(tx: Tx, { run, fullName }: RunPlace, jobs: readonly JobRow[], result: Result): Promise<void> {
  const open = jobs.filter(({ status }) => status !== "done");
  await endJobs(
    tx,
    open.map(({ id }) => id),
    result,
  );
  for (const { status, taskId } of open) if (status === "running" && taskId !== null) await endTask(tx, taskId, result);
  await reportJobs(
    tx,
    run,
    fullName,
    open.map((job) => ({ ...job, status: "done" as const, result, stoppedMs: tx.nowMs })),
  );
}

/** The token of the job ends with its task. Its runner may still send the end of the log. */
export async function endTask(tx: Tx, taskId: number, result: Result): Promise<void> {
  await finishTask(tx, taskId, result);
  tx.announce("actions", { taskId });
}

/** Ends a job that its runner has finished or lost. */
export async function finishJob(
  tx: Tx,
  { run, fullName }: RunPlace,
  job: JobRow,
  result: Result,
  outputs: Readonly<Record<string, string>> = {},
): Promise<void> {
  await updateJob(tx, job.id, { status: "done", result, outputs: JSON.stringify(outputs), stopped_ms: tx.nowMs });
  await reportJobs(tx, run, fullName, [{ ...job, status: "done", result, stoppedMs: tx.nowMs }]);
  await advance(tx, run.id);
  tx.announce("actions", { runId: run.id });
}

/** Ends a run whose jobs have all ended, and lets the next one of its concurrency group begin. */
export async function finishRun(tx: Tx, { run }: RunPlace, result: Result): Promise<void> {
  await updateRun(tx, run.id, { status: "done", result, stopped_ms: tx.nowMs });
  await rememberRun(tx, run, "completed");
  tx.announce("actions", { runId: run.id });
  if (run.concurrencyGroup === null) return;
  const [next] = (await listOpenInGroup(tx, run.repoId, run.concurrencyGroup)).filter(({ id, needsApproval }) => id !== run.id && !needsApproval);
  if (next?.status !== "waiting") return;
  await updateRun(tx, next.id, { status: "queued" });
  await advance(tx, next.id);
}

/** Cancels a run at once; runners notice it with their next report. */
export async function cancelRun(tx: Tx, place: RunPlace): Promise<void> {
  if (place.run.status === "done") return;
  await stopJobs(tx, place, await listJobs(tx, place.run.id), "cancelled");
  await finishRun(tx, place, "cancelled");
}

export const resultOfRun = (jobs: readonly JobRow[]): Result => combineResults(jobs);
