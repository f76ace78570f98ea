import type { Tx } from "../../../../db/db.ts";
import { recordStatus } from "../../../repositories/statuses/service.ts";
import { type JobRow, type RunRow, statusContext } from "../model.ts";
import { announceJobs } from "./announce.ts";

const states = { success: "success", failure: "failure", cancelled: "failure", skipped: "skipped" } as const;

function describe(job: Pick<JobRow, "status" | "result" | "isExpanded" | "startedMs" | "stoppedMs">, nowMs: number): string {
  const seconds = job.startedMs === null ? 0 : Math.max(0, Math.round(((job.stoppedMs ?? nowMs) - job.startedMs) / 1_000));
  if (job.status === "done") {
    if (job.result === "success") return `Successful in ${seconds}s`;
    if (job.result === "failure") return `Failing after ${seconds}s`;
    return job.result === "skipped" ? "Has been skipped" : "Has been cancelled";
  }
  if (job.status === "running") return "Has started running";
  return job.status === "waiting" ? "Waiting to run" : "Blocked by required conditions";
}

/** Pull requests of every kind, and pushes, report their jobs on the commit. Other events have no commit of their own. */
const reports = (run: Pick<RunRow, "trigger">): boolean =>
  ["push", "pull_request", "pull_request_review", "pull_request_target", "release"].includes(run.trigger);

/** Reports jobs to webhooks, and as checks of the commit of their run. */
export async function reportJobs(tx: Tx, run: RunRow, fullName: string, jobs: readonly JobRow[]): Promise<void> {
  await announceJobs(tx, run, jobs);
  await reportChecks(tx, run, fullName, jobs);
}

/** Reports jobs as checks of the commit of their run. One statement for each, and its event. */
export async function reportChecks(tx: Tx, run: RunRow, fullName: string, jobs: readonly JobRow[]): Promise<void> {
  if (!reports(run)) return;
  for (const job of jobs) {
    const state = job.status === "done" && job.result !== null ? states[job.result] : "pending";
    await recordStatus(tx, { repoId: run.repoId, oid: run.oid }, null, {
      context: statusContext(run, job),
      state,
      description: describe(job, tx.nowMs),
      targetUrl: `/${fullName}/actions/runs/${run.id}${job.call === null ? `/jobs/${job.id}` : ""}`,
    });
  }
}

/** Replaces the check of a job whose matrix is expanded now: its jobs have checks of their own. */
export async function reportExpanded(tx: Tx, run: RunRow, fullName: string, job: JobRow, names: readonly string[]): Promise<void> {
  if (!reports(run) || names.includes(job.name)) return;
  await recordStatus(tx, { repoId: run.repoId, oid: run.oid }, null, {
    context: statusContext(run, job),
    state: "skipped",
    description: `Replaced by the ${names.length} jobs of its matrix`,
    targetUrl: `/${fullName}/actions/runs/${run.id}`,
  });
}

/** Reports a run that the organization requires, as a check of its own: auto merges wait for it. */
export async function reportRequired(tx: Tx, run: RunRow, fullName: string): Promise<void> {
  if (run.requiredId === null) return;
  const isDone = run.status === "done" && run.result !== null;
  await recordStatus(tx, { repoId: run.repoId, oid: run.oid }, null, {
    context: `Required / ${run.workflowName} (${run.trigger})`.slice(0, 255),
    state: isDone ? (run.result === "skipped" ? "success" : states[run.result ?? "failure"]) : "pending",
    description: isDone ? `The required workflow has ended: ${run.result}` : "The required workflow has not ended",
    targetUrl: `/${fullName}/actions/runs/${run.id}`,
  });
}

/** Reports a workflow file that cannot be used. */
export async function reportProblems(tx: Tx, run: RunRow, fullName: string): Promise<void> {
  if (!reports(run)) return;
  const [first] = run.problems;
  const at = first?.line === undefined ? run.workflowPath : `${run.workflowPath}:${first.line}`;
  await recordStatus(tx, { repoId: run.repoId, oid: run.oid }, null, {
    context: `${run.workflowName} (${run.trigger})`.slice(0, 255),
    state: "failure",
    description: `${at}: ${first?.message ?? "invalid workflow"}`.slice(0, 1_000),
    targetUrl: `/${fullName}/actions/runs/${run.id}`,
  });
}
