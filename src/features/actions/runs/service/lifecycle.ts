import type { Tx } from "../../../../db/db.ts";
import { enqueue } from "../../../../jobs/job.ts";
import { combineResults, type JobRow, type Result, type RunRow } from "../model.ts";
import { endJobs, insertJobs, listJobs, listOpenInGroups, updateJob } from "../store/jobs.ts";
import { queueJobs } from "../store/queue.ts";
import { findRun, listOpenInGroup, updateRun } from "../store/runs.ts";
import { finishTask } from "../store/tasks.ts";
import { advanceJob } from "./advance-job.ts";
import { descendantsOf } from "./calls.ts";
import { reportExpanded, reportJobs, reportRequired } from "./statuses.ts";
import { rememberRun } from "./triggers.ts";

/** A run with the path of its repository, for links. */
export interface RunPlace {
  readonly run: RunRow;
  readonly fullName: string;
}

export const advance = (tx: Tx, runId: number): Promise<void> => enqueue(tx, advanceJob, { runId }, { dedupeKey: String(runId) });

/** The blocked jobs that may begin now: expanded, after their needs, and within the limit of their matrix. */
function releasable(jobs: readonly JobRow[]): readonly JobRow[] {
  const active = new Map<string, number>();
  const placeOf = ({ parentId, key }: Pick<JobRow, "parentId" | "key">): string => `${parentId ?? ""}/${key}`;
  const open = new Set(jobs.filter(({ status }) => status !== "done").map(placeOf));
  for (const job of jobs) if (job.status === "waiting" || job.status === "running") active.set(placeOf(job), (active.get(placeOf(job)) ?? 0) + 1);
  return jobs.filter((job) => {
    const { parentId, status, isExpanded, needs, maxParallel } = job;
    if (status !== "blocked" || !isExpanded || needs.some((key) => open.has(placeOf({ parentId, key })))) return false;
    const count = active.get(placeOf(job)) ?? 0;
    if (maxParallel !== null && count >= maxParallel) return false;
    active.set(placeOf(job), count + 1);
    return true;
  });
}

/**
 * Leaves out jobs whose concurrency group has a job already. Of the jobs that wait for a group, the newest run's replaces those of others,
 * which are cancelled; one that cancels jobs in progress begins at once.
 */
async function admit(tx: Tx, { run, fullName }: RunPlace, candidates: readonly JobRow[]): Promise<readonly JobRow[]> {
  const groups = [...new Set(candidates.flatMap(({ concurrencyGroup }) => concurrencyGroup ?? []))];
  const open = [...(await listOpenInGroups(tx, run.repoId, groups))];
  const admitted: JobRow[] = [];
  for (const job of candidates) {
    const others = open.filter((other) => other.concurrencyGroup === job.concurrencyGroup && other.id !== job.id && !(other.runId === run.id && other.call));
    const active = others.filter(({ status }) => status !== "blocked");
    const replaced = others.filter(({ status, isExpanded, runId, id }) => status === "blocked" && isExpanded && runId !== run.id && id < job.id);
    if (job.concurrencyGroup !== null) {
      const ended = job.cancelsInProgress ? [...active, ...replaced] : replaced;
      for (const other of ended) await cancelJob(tx, other, fullName);
      open.splice(0, open.length, ...open.filter((other) => !ended.includes(other)));
      if (active.length > 0 && !job.cancelsInProgress) continue;
      open.push({ ...job, status: "waiting" });
    }
    admitted.push(job);
  }
  return admitted;
}

/** Cancels a job of any run of the repository. */
async function cancelJob(tx: Tx, job: JobRow, fullName: string): Promise<void> {
  const run = await findRun(tx, job.repoId, job.runId);
  if (run === undefined) return;
  const jobs = await listJobs(tx, job.runId);
  const ids = new Set([job.id]);
  await stopJobs(tx, { run, fullName }, [...jobs.filter(({ id }) => ids.has(id)), ...descendantsOf(jobs, ids)], "cancelled");
  await advance(tx, job.runId);
}

/** Lets the jobs of a run wait for runners, which are woken after the commit, and starts calls of workflows. */
export async function releaseJobs(tx: Tx, place: RunPlace, jobs: readonly JobRow[]): Promise<boolean> {
  const { run, fullName } = place;
  const released = await admit(tx, place, releasable(jobs));
  if (released.length === 0) return false;
  const queued = released.filter(({ call }) => call === null);
  await queueJobs(
    tx,
    run.repoId,
    queued.map(({ id }) => id),
  );
  await reportJobs(
    tx,
    run,
    fullName,
    queued.map((job) => ({ ...job, status: "waiting" as const })),
  );
  const calls = released.filter(({ call }) => call !== null);
  for (const job of calls) await startCall(tx, place, job);
  if (calls.length > 0) await advance(tx, run.id);
  tx.announce("actions", "waiting");
  return true;
}

/** Adds the jobs of the called workflow. */
async function startCall(tx: Tx, { run, fullName }: RunPlace, job: JobRow): Promise<void> {
  const children = (job.call?.jobs ?? []).map(({ key, name, needs }) => ({
    runId: run.id,
    repoId: run.repoId,
    parentId: job.id,
    key,
    name: `${job.name} / ${name ?? key}`,
    needs,
  }));
  await updateJob(tx, job.id, { status: "running", started_ms: tx.nowMs });
  await insertJobs(tx, children);
  await reportExpanded(
    tx,
    run,
    fullName,
    job,
    children.map(({ name }) => name),
  );
}

/** Ends a call after all jobs of its workflow. */
export async function finishCall(tx: Tx, { run }: RunPlace, job: JobRow, result: Result, outputs: Readonly<Record<string, string>>): Promise<void> {
  await updateJob(tx, job.id, { status: "done", result, outputs: JSON.stringify(outputs), stopped_ms: tx.nowMs });
  await wakeGroups(tx, run.repoId, [job]);
}

/** Lets the oldest job that waits for a concurrency group begin, after another one of the group has ended. */
async function wakeGroups(tx: Tx, repoId: number, ended: readonly JobRow[]): Promise<void> {
  const groups = [...new Set(ended.flatMap(({ concurrencyGroup, status }) => (concurrencyGroup === null || status === "blocked" ? [] : concurrencyGroup)))];
  const waiting = (await listOpenInGroups(tx, repoId, groups)).filter(({ status, isExpanded }) => status === "blocked" && isExpanded);
  const runIds = groups.flatMap((group) => waiting.find(({ concurrencyGroup }) => concurrencyGroup === group)?.runId ?? []);
  for (const runId of new Set(runIds)) await advance(tx, runId);
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
  await wakeGroups(tx, run.repoId, open);
  await reportJobs(
    tx,
    run,
    fullName,
    open.filter(({ call }) => call === null).map((job) => ({ ...job, status: "done" as const, result, stoppedMs: tx.nowMs })),
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
  await wakeGroups(tx, run.repoId, [job]);
  await advance(tx, run.id);
}

/** Ends a run whose jobs have all ended, and lets the next one of its concurrency group begin. */
export async function finishRun(tx: Tx, { run, fullName }: RunPlace, result: Result): Promise<void> {
  await updateRun(tx, run.id, { status: "done", result, stopped_ms: tx.nowMs });
  await reportRequired(tx, { ...run, status: "done", result }, fullName);
  await rememberRun(tx, run, "completed");
  if (run.concurrencyGroup === null) return;
  const [next] = (await listOpenInGroup(tx, run.repoId, run.concurrencyGroup)).filter(({ id, needsApproval }) => id !== run.id && !needsApproval);
  if (next?.status !== "waiting") return;
  await updateRun(tx, next.id, { status: "queued" });
  await advance(tx, next.id);
}

/**
 * Applies the concurrency group of a run that begins: it cancels the others, or waits for them. Of the runs that wait, the newest one stays.
 * @returns whether it waits
 */
export async function enterGroup(tx: Tx, { run, fullName }: RunPlace): Promise<boolean> {
  if (run.concurrencyGroup === null) return false;
  const others = (await listOpenInGroup(tx, run.repoId, run.concurrencyGroup)).filter(({ id }) => id !== run.id);
  for (const other of others) {
    const isHeld = other.status === "waiting" && !other.needsApproval;
    if (run.cancelsInProgress || isHeld) await cancelRun(tx, { run: other, fullName });
  }
  const isHeld = !run.cancelsInProgress && others.some(({ status }) => status !== "waiting");
  if (isHeld) await updateRun(tx, run.id, { status: "waiting" });
  return isHeld;
}

/** Cancels a run at once; runners notice it with their next report. */
export async function cancelRun(tx: Tx, place: RunPlace): Promise<void> {
  if (place.run.status === "done") return;
  await stopJobs(tx, place, await listJobs(tx, place.run.id), "cancelled");
  await finishRun(tx, place, "cancelled");
}

/** Calls have the results of their jobs. */
export const resultOfRun = (jobs: readonly JobRow[]): Result => combineResults(jobs.filter(({ parentId }) => parentId === null));
