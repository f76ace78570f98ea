import { anonymous } from "../../../access/actor.ts";
import { formatTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import type { ActionTask, ActionWorkflow, ActionWorkflowJob, ActionWorkflowRun } from "../../../wire/action-run.ts";
import type { Repository } from "../../../wire/repository.ts";
import type { User } from "../../../wire/user.ts";
import type { UserView } from "../../accounts/users/model.ts";
import { presentUser } from "../../accounts/users/present.ts";
import type { RepositoryView } from "../../repositories/repos/model.ts";
import { presentRepository } from "../../repositories/repos/present.ts";
import { type JobPayload, type JobRow, type Result, type RunPayload, type RunRow, refName, type TaskPayload, type TaskRow, type WorkflowRow } from "./model.ts";

/** The repository of runs, and the server. */
export interface RunLocation {
  readonly fullName: string;
  readonly defaultBranch: string;
  readonly urls: Urls;
}

/** Statuses of the contract. A run between two jobs is queued. */
const runStatuses = { waiting: "waiting", queued: "queued", running: "in_progress", done: "completed" } as const;
const jobStatuses = { blocked: "waiting", waiting: "queued", running: "in_progress", done: "completed" } as const;

/** @compat times that are not known yet are 1970-01-01 (runs/runs.test.ts) */
const timeOf = (ms: number | null): string => formatTime(ms ?? 0);
const branchOf = (run: Pick<RunRow, "ref">): string | undefined => (run.ref.startsWith("refs/heads/") ? run.ref.slice("refs/heads/".length) : undefined);
/** @compat lists of attempts have the name of any ref as their branch, and the number of a pull request (runs/runs.test.ts) */
const prettyRef = (ref: string): string => refName(ref).replace(/^pull\/(\d+)\/head$/, "#$1");
const optionalConclusion = (result: Result | null) => (result === null ? {} : { conclusion: result });

/** @compat Gitea shows the repository and the users of a run as anonymous callers see them, without permissions (runs/runs.test.ts). */
export const presentForRun = (view: RepositoryView, urls: Urls): Repository => ({
  ...presentRepository(view, anonymous, urls),
  permissions: { admin: false, push: false, pull: false },
});

/** The repository and the sender in the event of a dispatch. */
export const presentDispatch =
  (urls: Urls) =>
  (view: RepositoryView, sender: UserView | undefined): object => ({
    repository: presentForRun(view, urls),
    sender: sender && presentUser(sender, anonymous, urls, "none"),
  });

export interface RunSubjects {
  readonly actor: User | undefined;
  readonly repository: Repository;
}

/** @compat the number of the attempt of a run is always 0 (runs/runs.test.ts) */
export const presentRun = (run: RunPayload, { fullName, urls }: RunLocation, { actor, repository }: RunSubjects): ActionWorkflowRun => ({
  id: run.id,
  url: urls.api("repos", fullName, "actions", "runs", run.id),
  html_url: urls.web(fullName, "actions", "runs", run.id),
  display_title: run.title,
  path: `${run.workflowFile}@${run.ref}`,
  event: run.trigger,
  run_attempt: 0,
  run_number: run.number,
  head_sha: run.oid,
  head_branch: branchOf(run),
  status: runStatuses[run.status],
  ...(actor && { actor, trigger_actor: actor }),
  repository,
  ...optionalConclusion(run.status === "done" ? run.result : null),
  started_at: timeOf(run.startedMs),
  completed_at: timeOf(run.stoppedMs),
});

export const presentJob = (job: JobPayload, run: RunPayload, task: TaskPayload | undefined, { fullName, urls }: RunLocation): ActionWorkflowJob => ({
  id: job.id,
  url: urls.api("repos", fullName, "actions", "jobs", job.id),
  html_url: urls.web(fullName, "actions", "runs", run.id, "jobs", job.id),
  run_id: run.id,
  run_url: urls.api("repos", fullName, "actions", "runs", run.id),
  name: job.name,
  labels: job.labels,
  run_attempt: job.attempt,
  head_sha: run.oid,
  head_branch: branchOf(run),
  status: jobStatuses[job.status],
  ...optionalConclusion(job.status === "done" ? job.result : null),
  ...(task?.runnerId && { runner_id: task.runnerId, runner_name: task.runnerName }),
  steps: task === undefined ? [] : job.stepNames.map((name, id) => presentStep(name, task.steps.find((step) => step.id === id) ?? { ...unreported, id })),
  created_at: timeOf(job.createdMs),
  started_at: timeOf(job.startedMs),
  completed_at: timeOf(job.stoppedMs),
});

const unreported = { result: null, startedMs: null, stoppedMs: null };

const presentStep = (name: string, step: TaskPayload["steps"][number]) => ({
  name,
  number: step.id,
  status: step.result !== null ? "completed" : step.startedMs === null ? "queued" : "in_progress",
  ...optionalConclusion(step.result),
  started_at: timeOf(step.startedMs),
  completed_at: timeOf(step.stoppedMs),
});

export const presentTask = (task: TaskRow, job: JobRow, run: RunRow, { fullName, urls }: RunLocation): ActionTask => ({
  id: task.id,
  name: job.name,
  head_branch: prettyRef(run.ref),
  head_sha: run.oid,
  run_number: run.number,
  event: run.trigger,
  display_title: run.title,
  status: task.status === "done" ? (task.result ?? "") : "running",
  workflow_id: run.workflowFile,
  url: urls.web(fullName, "actions", "runs", run.id),
  created_at: timeOf(task.createdMs),
  updated_at: timeOf(task.stoppedMs ?? task.startedMs ?? task.createdMs),
  run_started_at: timeOf(task.startedMs),
});

/** @compat a workflow that exists has the zero time as that of its deletion (runs/runs.test.ts) */
export const presentWorkflow = (workflow: WorkflowRow, { fullName, defaultBranch, urls }: RunLocation): ActionWorkflow => ({
  id: workflow.file,
  name: workflow.name,
  path: workflow.path,
  state: workflow.isDisabled ? "disabled_manually" : "active",
  created_at: timeOf(workflow.createdMs),
  updated_at: timeOf(workflow.updatedMs),
  deleted_at: "0001-01-01T00:00:00Z",
  url: urls.api("repos", fullName, "actions", "workflows", workflow.file),
  html_url: urls.web(fullName, "src", "branch", defaultBranch, workflow.path),
  badge_url: `${urls.web(fullName, "actions", "workflows", workflow.file, "badge.svg")}?branch=${encodeURIComponent(defaultBranch)}`,
});
