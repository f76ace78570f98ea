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
  /** For `workflow_dispatch` and `workflow_call`. */
  readonly inputs?: readonly DispatchInput[];
  /** For `workflow_call`: names of required secrets. */
  readonly requiredSecrets?: readonly string[];
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
  /** The workflow that it calls: `./.gitea/workflows/x.yml`, or `owner/repository/.gitea/workflows/x.yml@ref`. */
  readonly uses?: string;
}

/** The secrets that a called workflow receives: all, or expressions by name. */
export type CallSecrets = "inherit" | Readonly<Record<string, string>>;

/** Permissions of a job's token, by their names in workflow files. */
export type Permissions = Readonly<Record<string, "none" | "read" | "write">>;

/** One job for a runner: one combination of the matrix. */
export interface JobInstance {
  readonly name: string;
  readonly labels: readonly string[];
  /** Its name, for pages; empty: none. It has no rules and no secrets. */
  readonly environment: string;
  readonly stepNames: readonly string[];
  /** A workflow in YAML with this job alone. */
  readonly payload: string;
  readonly timeoutMinutes: number;
  readonly continuesOnError: boolean;
  readonly concurrency: Concurrency | undefined;
}

export interface Concurrency {
  readonly group: string;
  readonly cancelsInProgress: boolean;
}

/** One call of a workflow: one combination of the matrix. */
export interface CallInstance {
  readonly name: string;
  /** The evaluated `with`. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly secrets: CallSecrets;
  readonly contexts: Readonly<Record<string, unknown>>;
  readonly concurrency: Concurrency | undefined;
}

/** A job whose needs have ended: not started because of its condition, ready for runners, or a call of a workflow. */
export type JobPlan = { readonly key: string } & (
  | { readonly kind: "skip" }
  | ({ readonly kind: "run"; readonly instances: readonly JobInstance[] } & Strategy)
  | ({ readonly kind: "call"; readonly uses: string; readonly instances: readonly CallInstance[] } & Strategy)
);

interface Strategy {
  readonly failsFast: boolean;
  readonly maxParallel: number | null;
  /** Undefined: the default of the repository. */
  readonly permissions: Permissions | undefined;
}

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
  readonly concurrency: Concurrency | undefined;
}
