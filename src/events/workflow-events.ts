/** Steps of runs and jobs of workflows, recorded for webhooks that have selected them. Payloads have the state at that time. */
export interface WorkflowEvents {
  "workflow_run.changed": WorkflowRunEvent;
  "workflow_job.changed": WorkflowJobEvent;
}

export interface WorkflowRunEvent {
  readonly repoId: number;
  readonly action: "requested" | "in_progress" | "completed";
  readonly run: RunPayload;
}

export interface WorkflowJobEvent {
  readonly repoId: number;
  readonly action: "waiting" | "queued" | "in_progress" | "completed";
  readonly run: RunPayload;
  readonly job: JobPayload;
  /** Undefined: no runner has it. */
  readonly task?: TaskPayload;
}

type Result = "success" | "failure" | "cancelled" | "skipped";

export interface RunPayload {
  readonly id: number;
  readonly number: number;
  readonly workflowFile: string;
  readonly title: string;
  readonly trigger: string;
  readonly ref: string;
  readonly oid: string;
  readonly actorId: number | null;
  readonly status: "waiting" | "queued" | "running" | "done";
  readonly result: Result | null;
  readonly startedMs: number | null;
  readonly stoppedMs: number | null;
}

export interface JobPayload {
  readonly id: number;
  readonly name: string;
  readonly labels: readonly string[];
  readonly attempt: number;
  readonly status: "blocked" | "waiting" | "running" | "done";
  readonly result: Result | null;
  readonly stepNames: readonly string[];
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly stoppedMs: number | null;
}

export interface TaskPayload {
  readonly runnerId: number | null;
  readonly runnerName: string;
  readonly steps: readonly StepPayload[];
}

export interface StepPayload {
  readonly id: number;
  /** Null: it has not ended. */
  readonly result: Result | null;
  readonly startedMs: number | null;
  readonly stoppedMs: number | null;
}
