/** Steps of runs and jobs of workflows, recorded for webhooks that have selected them. Payloads have the state at that time. */
export interface WorkflowEvents {
  "workflow_run.changed": WorkflowRunEvent;
  "workflow_job.changed": WorkflowJobEvent;
}

export interface WorkflowRunEvent {
  readonly repoId: number;
  readonly action: "requested" | "in_progress" | "completed";
  readonly run: RunFacts;
}

export interface WorkflowJobEvent {
  readonly repoId: number;
  readonly action: "waiting" | "queued" | "in_progress" | "completed";
  readonly run: RunFacts;
  readonly job: JobFacts;
  /** Undefined: no runner has it. */
  readonly task?: TaskFacts;
}

type Result = "success" | "failure" | "cancelled" | "skipped";

export interface RunFacts {
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

export interface JobFacts {
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

export interface TaskFacts {
  readonly runnerId: number | null;
  readonly runnerName: string;
  readonly steps: readonly StepFacts[];
}

export interface StepFacts {
  readonly id: number;
  /** Null: it has not ended. */
  readonly result: Result | null;
  readonly startedMs: number | null;
  readonly stoppedMs: number | null;
}
