import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface ActionTables {
  action_secrets: ActionSecretsTable;
  action_variables: ActionVariablesTable;
  action_runner_tokens: ActionRunnerTokensTable;
  action_runners: ActionRunnersTable;
  action_workflows: ActionWorkflowsTable;
  action_required_workflows: ActionRequiredWorkflowsTable;
  action_required_repositories: ActionRequiredRepositoriesTable;
  action_runs: ActionRunsTable;
  action_jobs: ActionJobsTable;
  action_tasks: ActionTasksTable;
  action_log_parts: ActionLogPartsTable;
  action_summaries: ActionSummariesTable;
  action_artifacts: ActionArtifactsTable;
  action_caches: ActionCachesTable;
  action_uploads: ActionUploadsTable;
  action_upload_blocks: ActionUploadBlocksTable;
}

/** At most one of the two ids is set: a repository, or the user or organization whose repositories it covers. Neither: the whole server. */
interface Owned {
  repo_id: number | null;
  owner_id: number | null;
}

export interface ActionSecretsTable extends Owned {
  id: Generated<number>;
  /** In upper case. */
  name: string;
  /** Sealed. */
  value: string;
  description: string;
  created_ms: Millis;
  updated_ms: Millis;
}

export interface ActionVariablesTable extends Owned {
  id: Generated<number>;
  /** In upper case. */
  name: string;
  value: string;
  description: string;
  created_ms: Millis;
  updated_ms: Millis;
}

/** Registers any number of runners, until it is replaced. */
export interface ActionRunnerTokensTable extends Owned {
  id: Generated<number>;
  token_hash: string;
  /** Sealed, because it is shown again. */
  sealed: string;
  is_active: Flag;
  created_ms: Millis;
}

export interface ActionRunnersTable extends Owned {
  id: Generated<number>;
  uuid: string;
  token_hash: string;
  name: string;
  version: string;
  /** JSON: names without the part that says how the runner executes jobs. */
  labels: string;
  is_ephemeral: Flag;
  is_disabled: Generated<Flag>;
  /** Its last call, up to half a minute ago; 0: it has not called. */
  seen_ms: Generated<Millis>;
  /** Its last report on a task. */
  active_ms: Generated<Millis>;
  created_ms: Millis;
}

/** A workflow on the default branch of a repository, or a disabled one that no longer exists there. */
export interface ActionWorkflowsTable {
  id: Generated<number>;
  repo_id: number;
  /** Its file name identifies it. */
  file: string;
  path: string;
  name: string;
  /** Blob of the file; null: it is not on the default branch. */
  oid: string | null;
  /** JSON: its triggers; null: the file is invalid. */
  triggers: string | null;
  is_disabled: Generated<Flag>;
  /** The next time of its schedule; null: it has none. */
  next_run_ms: Millis | null;
  /** The user who pushed the schedule, the actor of its runs. */
  scheduler_id: number | null;
  created_ms: Millis;
  updated_ms: Millis;
}

/** A workflow file that runs in repositories of its organization, independent of their content. */
export interface ActionRequiredWorkflowsTable {
  id: Generated<number>;
  /** The organization. */
  owner_id: number;
  /** The repository with the file. */
  repo_id: number;
  path: string;
  /** Empty: the default branch. */
  branch: string;
  on_push: Flag;
  /** Pull requests need its success. */
  on_pull: Flag;
  /** Otherwise the rows of `action_required_repositories` count. */
  covers_all: Flag;
  created_ms: Millis;
}

export interface ActionRequiredRepositoriesTable {
  required_id: number;
  repo_id: number;
}

export interface ActionRunsTable {
  id: Generated<number>;
  repo_id: number;
  /** Counts from 1 per repository. */
  number: number;
  /** The event that started it, so that an event that is delivered again starts no second run. */
  event_id: number | null;
  /** The same for causes that are no events, or that are several of one event: it names the cause. */
  cause: string | null;
  /** Number of runs before it that started each other by `workflow_run`. */
  depth: Generated<number>;
  workflow_file: string;
  workflow_path: string;
  workflow_name: string;
  /** The requirement that it belongs to, if any. */
  required_id: Generated<number | null>;
  /** The commit with the workflow file, if that is in another repository. */
  workflow_oid: Generated<string | null>;
  /** The workflow file. */
  content: string;
  /** JSON: the workflow files that its jobs call. */
  called: Generated<string>;
  title: string;
  /** Name of the trigger: `push`. */
  trigger: string;
  /** JSON: the payload of the event. */
  payload: string;
  /** JSON: the inputs of `workflow_dispatch`. */
  inputs: string;
  ref: string;
  oid: string;
  /** For a pull request: its base and head branch. */
  base_ref: string;
  head_ref: string;
  /** Null: the account was deleted, or the server started the run. */
  actor_id: number | null;
  /** Its code comes from a fork: no secrets, and only reading. */
  is_from_fork: Flag;
  /** It waits for the approval of a user with write access. */
  needs_approval: Flag;
  approver_id: number | null;
  concurrency_group: string | null;
  /** It cancels the other runs of its group. */
  cancels_in_progress: Generated<Flag>;
  status: "waiting" | "queued" | "running" | "done";
  result: "success" | "failure" | "cancelled" | "skipped" | null;
  /** JSON: mistakes in the workflow. */
  problems: string;
  attempt: Generated<number>;
  created_ms: Millis;
  started_ms: Millis | null;
  stopped_ms: Millis | null;
  updated_ms: Millis;
}

export interface ActionJobsTable {
  id: Generated<number>;
  run_id: number;
  repo_id: number;
  /** The job that calls its workflow; null: it belongs to the workflow of the run. */
  parent_id: number | null;
  /** Its key in the workflow; all jobs of a matrix have the same. */
  key: string;
  /** Index in its matrix. */
  position: number;
  name: string;
  /** JSON: keys of the jobs that it needs. */
  needs: string;
  /** Null until its needs have ended: then it is expanded. */
  payload: string | null;
  /** JSON: the workflow that it calls; null: a runner executes it. */
  call: string | null;
  /** Of the jobs of a repository with one group, one runs and one waits. */
  concurrency_group: string | null;
  cancels_in_progress: Generated<Flag>;
  /** JSON: the labels that its runner needs. */
  labels: string;
  /** JSON. */
  step_names: string;
  /** One of them, for the queue. */
  first_label: string;
  /** The name of its environment, for pages; empty: none. */
  environment: Generated<string>;
  /** JSON: the declared permissions of its token; null: the default. */
  permissions: string | null;
  timeout_ms: number;
  continues_on_error: Flag;
  fails_fast: Flag;
  /** Number of jobs of its matrix that may run at once; null: all. */
  max_parallel: number | null;
  /** `blocked` by its needs or by others of its matrix; `waiting` for a runner. */
  status: "blocked" | "waiting" | "running" | "done";
  result: "success" | "failure" | "cancelled" | "skipped" | null;
  /** JSON: outputs of the finished job. */
  outputs: string;
  /** Place in the queue: repositories take turns. */
  queue_rank: number;
  attempt: Generated<number>;
  /** The present task. */
  task_id: number | null;
  created_ms: Millis;
  started_ms: Millis | null;
  stopped_ms: Millis | null;
}

/** One attempt of a job on a runner. Its id is the fence: reports on another task of the job are ignored. */
export interface ActionTasksTable {
  id: Generated<number>;
  job_id: number;
  run_id: number;
  repo_id: number;
  runner_id: number | null;
  runner_name: string;
  attempt: number;
  status: "running" | "done";
  result: "success" | "failure" | "cancelled" | "skipped" | null;
  /** Hash of the token of the job; null when it has ended. */
  token_hash: string | null;
  /** JSON: levels of its token, by unit. */
  rights: string;
  /** JSON, sealed: the secrets that the job was given, by name, until its log is complete. They are hidden in its log. */
  sealed_secrets: string | null;
  /** The runner has reported on it. */
  is_reported: Generated<Flag>;
  /** A silent runner loses the task at this time. */
  lease_until_ms: Millis;
  deadline_ms: Millis;
  /** JSON: its steps as reported. */
  steps: Generated<string>;
  log_rows: Generated<number>;
  log_bytes: Generated<number>;
  /** No further log line is accepted. */
  is_log_closed: Generated<Flag>;
  created_ms: Millis;
  started_ms: Millis | null;
  stopped_ms: Millis | null;
}

export interface ActionLogPartsTable {
  task_id: number;
  /** Index of its first line. */
  first_row: number;
  row_count: number;
  /** JSON: pairs of time and text. */
  content: string;
}

/** The summary of a step of a task. */
export interface ActionSummariesTable {
  task_id: number;
  /** Index of the step. */
  step: number;
  /** Markdown, with masked secrets. */
  content: string;
  size_bytes: number;
  updated_ms: Millis;
}

/** A file that a job left for users and for later jobs of its run. */
export interface ActionArtifactsTable {
  id: Generated<number>;
  repo_id: number;
  run_id: number;
  /** The attempt of the run: a later one replaces an artifact of the same name. */
  attempt: number;
  name: string;
  media_type: string;
  /** SHA-256 of the content, in hex. */
  digest: string;
  size_bytes: number;
  created_ms: Millis;
  updated_ms: Millis;
  expires_ms: Millis;
}

/** A file that a job kept for later runs. */
export interface ActionCachesTable {
  id: Generated<number>;
  repo_id: number;
  /** The ref of the run that made it. Runs of other refs read it only if it is their base or the default branch. */
  ref: string;
  /** Chosen by the client: a hash of the paths and the compression. */
  version: string;
  key: string;
  /** SHA-256 of the content, in hex. */
  digest: string;
  size_bytes: number;
  created_ms: Millis;
  used_ms: Millis;
}

/** A file that a job sends. It becomes an artifact when the job declares it complete. */
export interface ActionUploadsTable {
  id: Generated<number>;
  repo_id: number;
  task_id: number;
  name: string;
  media_type: string;
  /** Sizes of all blocks. */
  received_bytes: Generated<number>;
  block_count: Generated<number>;
  /** SHA-256 of the complete content, in hex. */
  digest: string | null;
  size_bytes: number | null;
  /** Expiry of the artifact. */
  expires_ms: Millis;
  created_ms: Millis;
}

export interface ActionUploadBlocksTable {
  upload_id: number;
  /** The name that the client gives it. */
  block: string;
  /** In the order of arrival. */
  position: number;
  /** Name in the file store. It has no row in `stored_files`, so the sweep deletes it after a day. */
  file: string;
  size_bytes: number;
}
