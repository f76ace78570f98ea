import type { Migration } from "./migration.ts";

/** Workflows that owners of organizations require in their repositories, and the environments of jobs. */
export const requiredWorkflows: Migration = {
  id: 54,
  name: "required workflows",
  statements: [
    `create table action_required_workflows (
      id {id},
      owner_id {int} not null references accounts (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      path {text} not null,
      branch {text} not null,
      on_push {int} not null,
      on_pull {int} not null,
      covers_all {int} not null,
      created_ms {int} not null
    ) {table}`,
    "create unique index action_required_workflows_file on action_required_workflows (owner_id, repo_id, path)",
    "create index action_required_workflows_repo on action_required_workflows (repo_id)",
    `create table action_required_repositories (
      required_id {int} not null references action_required_workflows (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      primary key (required_id, repo_id)
    ) {clustered}`,
    "create index action_required_repositories_repo on action_required_repositories (repo_id)",
    "alter table action_runs add column required_id {int} references action_required_workflows (id) on delete set null",
    "alter table action_runs add column workflow_oid {text}",
    "create index action_runs_required on action_runs (required_id, repo_id, oid) where required_id is not null",
    "alter table action_jobs add column environment {text} not null default ''",
  ],
};
