import type { Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { JobPayload, RunPayload, TaskPayload, WorkflowJobEvent, WorkflowRunEvent } from "../../../../events/workflow-events.ts";
import { isHeard } from "../../../integrations/hooks/service/listening.ts";
import type { JobRow, RunRow, TaskRow } from "../model.ts";
import { findJob } from "../store/jobs.ts";
import { findRun } from "../store/runs.ts";
import { listTasks } from "../store/tasks.ts";

/** Records a step of a run for webhooks, in its transaction. One statement if none has selected it. */
export async function announceRun(tx: Tx, { id, repoId }: Pick<RunRow, "id" | "repoId">, action: WorkflowRunEvent["action"]): Promise<void> {
  const run = (await isHeard(tx, repoId, "workflow_run")) ? await findRun(tx, repoId, id) : undefined;
  if (run === undefined) return;
  await recordEvent(tx, "workflow_run.changed", { repoId, action, run: toRunPayload(run) }, { repoId, actorId: run.actorId });
}

const actions = { blocked: "waiting", waiting: "queued", running: "in_progress", done: "completed" } as const satisfies Record<
  JobRow["status"],
  WorkflowJobEvent["action"]
>;

/** Records the present state of jobs for webhooks, in the transaction of its change. One statement if none has selected it. */
export async function announceJobs(tx: Tx, { id, repoId }: Pick<RunRow, "id" | "repoId">, jobs: readonly JobRow[]): Promise<void> {
  // No runner executes a call of a workflow.
  const executed = jobs.filter(({ call }) => call === null);
  if (executed.length === 0 || !(await isHeard(tx, repoId, "workflow_job"))) return;
  const run = await findRun(tx, repoId, id);
  if (run === undefined) return;
  const tasks = await listTasks(
    tx,
    executed.flatMap(({ taskId }) => taskId ?? []),
  );
  for (const job of executed) {
    const task = job.taskId === null ? undefined : tasks.get(job.taskId);
    const event = { repoId, action: actions[job.status], run: toRunPayload(run), job: toJobPayload(job), ...(task && { task: toTaskPayload(task) }) };
    await recordEvent(tx, "workflow_job.changed", event, { repoId, actorId: run.actorId });
  }
}

/** Records that a runner has taken a job. */
export async function announceStart(tx: Tx, run: Pick<RunRow, "id" | "repoId">, jobId: number): Promise<void> {
  if (!(await isHeard(tx, run.repoId, "workflow_job"))) return;
  const job = await findJob(tx, run.repoId, jobId);
  if (job !== undefined) await announceJobs(tx, run, [job]);
}

const toRunPayload = ({ id, number, workflowFile, title, trigger, ref, oid, actorId, status, result, startedMs, stoppedMs }: RunRow): RunPayload => ({
  ...{ id, number, workflowFile, title, trigger, ref, oid, actorId, status, result, startedMs, stoppedMs },
});

const toJobPayload = ({ id, name, labels, attempt, status, result, stepNames, createdMs, startedMs, stoppedMs }: JobRow): JobPayload => ({
  ...{ id, name, labels, attempt, status, result, stepNames, createdMs, startedMs, stoppedMs },
});

const toTaskPayload = ({ runnerId, runnerName, steps }: TaskRow): TaskPayload => ({
  ...{ runnerId, runnerName },
  steps: steps.map(({ id, result, startedMs, stoppedMs }) => ({ id, result, startedMs, stoppedMs })),
});
