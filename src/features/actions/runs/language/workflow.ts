/** A parsed workflow file. */
export interface Workflow {
  /** Its `name`; undefined: its path is shown. */
  readonly name: string | undefined;
  /** Title of its runs: may contain expressions. */
  readonly runName: string | undefined;
  readonly triggers: Triggers;
  readonly jobs: readonly JobDefinition[];
}

/** The events that start a workflow, by name, with their filters. */
export type Triggers = Readonly<Record<string, Trigger>>;

export interface Trigger {
  readonly branches?: readonly string[];
  readonly branchesIgnore?: readonly string[];
  readonly tags?: readonly string[];
  readonly tagsIgnore?: readonly string[];
  readonly paths?: readonly string[];
  readonly pathsIgnore?: readonly string[];
  readonly types?: readonly string[];
  /** For `workflow_run`. */
  readonly workflows?: readonly string[];
  /** For `schedule`. */
  readonly crons?: readonly string[];
  /** For `workflow_dispatch`. */
  readonly inputs?: readonly DispatchInput[];
}

export interface DispatchInput {
  readonly name: string;
  readonly description: string;
  readonly type: "string" | "choice" | "boolean" | "number" | "environment";
  readonly isRequired: boolean;
  readonly default: string;
  readonly options: readonly string[];
}

export interface JobDefinition {
  /** Its key below `jobs`. */
  readonly key: string;
  readonly name: string | undefined;
  /** Keys of jobs that end before this one starts. */
  readonly needs: readonly string[];
}

/** Rights of the token of a job, by the names of workflow files. */
export type Permissions = Readonly<Record<string, "none" | "read" | "write">>;

/** One job for a runner: one combination of the matrix. */
export interface JobInstance {
  readonly name: string;
  readonly labels: readonly string[];
  readonly stepNames: readonly string[];
  /** A workflow in YAML with this job alone. */
  readonly payload: string;
  readonly timeoutMinutes: number;
  readonly continuesOnError: boolean;
}

/** A job whose needs have ended: not started because of its condition, or ready. */
export type JobPlan =
  | { readonly key: string; readonly kind: "skip" }
  | {
      readonly key: string;
      readonly kind: "run";
      readonly instances: readonly JobInstance[];
      readonly failsFast: boolean;
      readonly maxParallel: number | null;
      /** Undefined: the default of the repository. */
      readonly permissions: Permissions | undefined;
    };

/** Values that expressions refer to. */
export interface PlanContext {
  readonly github: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly vars: Readonly<Record<string, string>>;
}

export type JobResult = "success" | "failure" | "cancelled" | "skipped";

export interface EndedJob {
  readonly key: string;
  readonly result: JobResult;
  readonly outputs: Readonly<Record<string, string>>;
}

/** The parts of a run that are evaluated once, when it is created. */
export interface RunPlan {
  readonly title: string | undefined;
  readonly concurrency: { readonly group: string; readonly cancelsInProgress: boolean } | undefined;
}
