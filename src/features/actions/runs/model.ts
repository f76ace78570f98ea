import type { ActionJobsTable, ActionRunsTable, ActionTasksTable } from "../../../db/tables/actions.ts";
import type { Problem } from "./language/problem.ts";
import type { CallSecrets, JobDefinition, Permissions, Triggers } from "./language/workflow.ts";

export type RunStatus = ActionRunsTable["status"];
export type JobStatus = ActionJobsTable["status"];
export type Result = NonNullable<ActionRunsTable["result"]>;

export interface RunRow {
  readonly id: number;
  readonly repoId: number;
  readonly number: number;
  readonly workflowFile: string;
  readonly workflowPath: string;
  readonly workflowName: string;
  /** The requirement of the organization that it belongs to. */
  readonly requiredId: number | null;
  /** The commit with the workflow file, if that is in another repository. */
  readonly workflowOid: string | null;
  readonly title: string;
  readonly trigger: string;
  readonly ref: string;
  readonly oid: string;
  readonly baseRef: string;
  readonly headRef: string;
  readonly actorId: number | null;
  readonly isFromFork: boolean;
  readonly needsApproval: boolean;
  readonly concurrencyGroup: string | null;
  /** It cancels the other runs of its group. */
  readonly cancelsInProgress: boolean;
  /** Number of runs before it that started each other by `workflow_run`. */
  readonly depth: number;
  readonly status: RunStatus;
  readonly result: Result | null;
  readonly problems: readonly Problem[];
  readonly attempt: number;
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly stoppedMs: number | null;
  readonly updatedMs: number;
}

/** The parts of a run that only plans and starting jobs need. */
export interface RunContent {
  readonly content: string;
  /** JSON: the workflow files that its jobs call. */
  readonly called: string;
  /** JSON: the payload of the event. */
  readonly payload: string;
  /** JSON. */
  readonly inputs: string;
}

export interface JobRow {
  readonly id: number;
  readonly runId: number;
  readonly repoId: number;
  /** The job that calls its workflow. */
  readonly parentId: number | null;
  readonly key: string;
  readonly position: number;
  readonly name: string;
  readonly needs: readonly string[];
  /** Its needs have ended and its matrix is expanded. */
  readonly isExpanded: boolean;
  /** Its jobs are those of the workflow that it calls. No runner executes it. */
  readonly call: Call | null;
  readonly concurrencyGroup: string | null;
  readonly cancelsInProgress: boolean;
  readonly labels: readonly string[];
  /** Empty: none. */
  readonly environment: string;
  readonly stepNames: readonly string[];
  readonly continuesOnError: boolean;
  readonly failsFast: boolean;
  readonly maxParallel: number | null;
  readonly status: JobStatus;
  readonly result: Result | null;
  readonly outputs: Readonly<Record<string, string>>;
  readonly attempt: number;
  readonly taskId: number | null;
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly stoppedMs: number | null;
}

/** A call of a workflow by a job. */
export interface Call {
  /** Key of the file in the called files of the run. */
  readonly file: string;
  /** For pages: its path, with its repository and ref if they are not those of the run. */
  readonly path: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly secrets: CallSecrets;
  /** The contexts of the calling job that its secrets may refer to. */
  readonly contexts: Readonly<Record<string, unknown>>;
  /** The permissions of the calling job, which limit those of its jobs. */
  readonly permissions: Permissions | null;
  readonly jobs: readonly JobDefinition[];
}

export interface TaskRow {
  readonly id: number;
  readonly jobId: number;
  readonly runId: number;
  readonly repoId: number;
  readonly runnerId: number | null;
  readonly runnerName: string;
  readonly attempt: number;
  readonly status: ActionTasksTable["status"];
  readonly result: Result | null;
  readonly isReported: boolean;
  readonly leaseUntilMs: number;
  readonly deadlineMs: number;
  readonly steps: readonly Step[];
  readonly logRows: number;
  readonly logBytes: number;
  readonly isLogClosed: boolean;
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly stoppedMs: number | null;
}

/** The parts of runs, jobs and tasks that the API shows, also of a former state. */
export type { JobPayload, RunPayload, TaskPayload } from "../../../events/workflow-events.ts";

/** A step as its runner reports it. */
export interface Step {
  readonly id: number;
  /** Null: it has not ended. */
  readonly result: Result | null;
  readonly startedMs: number | null;
  readonly stoppedMs: number | null;
  readonly logIndex: number;
  readonly logLength: number;
}

/** A workflow that an organization requires in its repositories. */
export interface RequiredWorkflow {
  readonly id: number;
  /** The repository with the file, and its path with the owner. */
  readonly repoId: number;
  readonly fullName: string;
  readonly path: string;
  /** Empty: the default branch. */
  readonly branch: string;
  readonly onPush: boolean;
  readonly onPull: boolean;
  /** Names of the chosen repositories; undefined: all. */
  readonly covered: readonly string[] | undefined;
}

export interface WorkflowRow {
  readonly id: number;
  readonly repoId: number;
  readonly file: string;
  readonly path: string;
  readonly name: string;
  /** Null: not on the default branch. */
  readonly oid: string | null;
  /** Null: the file is invalid. */
  readonly triggers: Triggers | null;
  readonly isDisabled: boolean;
  /** The next time of its schedule. */
  readonly nextRunMs: number | null;
  /** The user who pushed the schedule. */
  readonly schedulerId: number | null;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** A line of a log. Runners report times in units of 100 ns; the third value counts those that the milliseconds leave, if there are any. */
export type LogLine = readonly [timeMs: number, text: string, ticks?: number];

/** The combined result of jobs with one key, for the jobs that need them. One that may fail counts as successful. */
export function combineResults(jobs: readonly Pick<JobRow, "result" | "continuesOnError">[]): Result {
  const results = jobs.map(({ result, continuesOnError }) => (continuesOnError && result === "failure" ? "success" : result));
  if (results.includes("failure")) return "failure";
  if (results.includes("cancelled")) return "cancelled";
  return results.every((result) => result === "skipped") && results.length > 0 ? "skipped" : "success";
}

/** The context of the commit status of a job. */
export const statusContext = (run: Pick<RunRow, "workflowName" | "trigger">, job: Pick<JobRow, "name">): string =>
  `${run.workflowName} / ${job.name} (${run.trigger})`.slice(0, 255);

export const isFullOid = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** A ref as users write it: a branch or a tag without its prefix. */
export const refName = (ref: string): string => ref.replace(/^refs\/(?:heads|tags)\//, "").replace(/^refs\//, "");
