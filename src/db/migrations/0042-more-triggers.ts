import type { Migration } from "./migration.ts";

/** Workflows that start at times and after other workflows. */
export const moreTriggers: Migration = {
  id: 42,
  name: "more triggers of workflows",
  statements: [
    "alter table action_workflows add column next_run_ms {int}",
    "alter table action_workflows add column scheduler_id {int} references accounts (id) on delete set null",
    // Time 0: the server computes the next one.
    `update action_workflows set next_run_ms = 0 where oid is not null and triggers like '%"schedule":%'`,
    "create index action_workflows_due on action_workflows (next_run_ms) where next_run_ms is not null",
    "create index action_workflows_scheduler on action_workflows (scheduler_id) where scheduler_id is not null",
    "alter table action_runs add column cause {text}",
    "alter table action_runs add column depth {int} not null default 0",
    "create unique index action_runs_cause on action_runs (repo_id, cause, workflow_path) where cause is not null",
    "create index action_runs_approved on action_runs (repo_id, oid) where approver_id is not null",
  ],
};
