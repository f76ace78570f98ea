import type { Migration } from "./migration.ts";

/** Concurrency groups of jobs, and jobs that call workflows. */
export const calledWorkflows: Migration = {
  id: 43,
  name: "called workflows",
  statements: [
    "alter table action_runs add column called {text} not null default '{}'",
    "alter table action_jobs add column parent_id {int} references action_jobs (id) on delete cascade",
    "alter table action_jobs add column call {text}",
    "alter table action_jobs add column concurrency_group {text}",
    "alter table action_jobs add column cancels_in_progress {int} not null default 0",
    "create index action_jobs_parent on action_jobs (parent_id) where parent_id is not null",
    "create index action_jobs_group on action_jobs (repo_id, concurrency_group) where concurrency_group is not null and status <> 'done'",
  ],
};
