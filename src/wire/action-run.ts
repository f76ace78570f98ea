import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { Repository } from "./repository.ts";
import { field, int, list, mapOf, nullable, option, optional, record, text, time } from "./schema.ts";
import { User } from "./user.ts";

export const ActionWorkflowRun = record("ActionWorkflowRun", {
  id: int(),
  url: text(),
  html_url: text(),
  display_title: text(),
  path: text(),
  event: text(),
  run_attempt: int(),
  run_number: int(),
  repository_id: optional(int()),
  head_sha: text(),
  head_branch: optional(text()),
  status: text(),
  actor: optional(User),
  trigger_actor: optional(User),
  repository: optional(Repository),
  head_repository: optional(Repository),
  conclusion: optional(text()),
  started_at: time(),
  completed_at: time(),
});
export type ActionWorkflowRun = Static<typeof ActionWorkflowRun>;

export const ActionWorkflowRunsResponse = record("ActionWorkflowRunsResponse", { workflow_runs: nullable(list(ActionWorkflowRun)), total_count: int() });

export const ActionWorkflowStep = record("ActionWorkflowStep", {
  name: text(),
  number: int(),
  status: text(),
  conclusion: optional(text()),
  started_at: time(),
  completed_at: time(),
});

export const ActionWorkflowJob = record("ActionWorkflowJob", {
  id: int(),
  url: text(),
  html_url: text(),
  run_id: int(),
  run_url: text(),
  name: text(),
  labels: nullable(list(text())),
  run_attempt: int(),
  head_sha: text(),
  head_branch: optional(text()),
  status: text(),
  conclusion: optional(text()),
  runner_id: optional(int()),
  runner_name: optional(text()),
  steps: nullable(list(ActionWorkflowStep)),
  created_at: time(),
  started_at: time(),
  completed_at: time(),
});
export type ActionWorkflowJob = Static<typeof ActionWorkflowJob>;

export const ActionWorkflowJobsResponse = record("ActionWorkflowJobsResponse", { jobs: nullable(list(ActionWorkflowJob)), total_count: int() });

export const ActionTask = record("ActionTask", {
  id: int(),
  name: text(),
  head_branch: text(),
  head_sha: text(),
  run_number: int(),
  event: text(),
  display_title: text(),
  status: text(),
  workflow_id: text(),
  url: text(),
  created_at: time(),
  updated_at: time(),
  run_started_at: time(),
});
export type ActionTask = Static<typeof ActionTask>;

export const ActionTaskResponse = record("ActionTaskResponse", { workflow_runs: nullable(list(ActionTask)), total_count: int() });

export const ActionWorkflow = record("ActionWorkflow", {
  id: text(),
  name: text(),
  path: text(),
  state: text(),
  created_at: time(),
  updated_at: time(),
  deleted_at: time(),
  url: text(),
  html_url: text(),
  badge_url: text(),
});
export type ActionWorkflow = Static<typeof ActionWorkflow>;

export const ActionWorkflowResponse = record("ActionWorkflowResponse", { workflows: nullable(list(ActionWorkflow)), total_count: int() });

export const CreateActionWorkflowDispatch = option("CreateActionWorkflowDispatch", {
  ref: field("Ref", text(lengths.ref), "Required"),
  inputs: field("Inputs", nullable(mapOf(text(lengths.key), counts.few))),
});

export const RunDetails = record("RunDetails", { workflow_run_id: int(), run_url: text(), html_url: text() });
