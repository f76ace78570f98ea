import type { Migration } from "./migration.ts";

/** Files that jobs upload: artifacts, and uploads in progress. Tasks keep their secrets until they end. */
export const artifacts: Migration = {
  id: 40,
  name: "artifacts",
  statements: [
    `create table action_artifacts (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      run_id {int} not null references action_runs (id) on delete cascade,
      attempt {int} not null,
      name {text} not null,
      media_type {text} not null,
      digest {text} not null references stored_files (digest),
      size_bytes {int} not null,
      created_ms {int} not null,
      updated_ms {int} not null,
      expires_ms {int} not null
    ) {table}`,
    "create unique index action_artifacts_name on action_artifacts (run_id, name)",
    "create index action_artifacts_repo on action_artifacts (repo_id, id)",
    "create index action_artifacts_digest on action_artifacts (digest)",
    "create index action_artifacts_expiry on action_artifacts (expires_ms)",

    `create table action_uploads (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      task_id {int} not null references action_tasks (id) on delete cascade,
      name {text} not null,
      media_type {text} not null,
      received_bytes {int} not null default 0,
      block_count {int} not null default 0,
      digest {text} references stored_files (digest),
      size_bytes {int},
      expires_ms {int} not null,
      created_ms {int} not null
    ) {table}`,
    "create index action_uploads_repo on action_uploads (repo_id)",
    "create unique index action_uploads_name on action_uploads (task_id, name)",
    "create index action_uploads_digest on action_uploads (digest) where digest is not null",
    "create index action_uploads_age on action_uploads (created_ms)",

    `create table action_upload_blocks (
      upload_id {int} not null references action_uploads (id) on delete cascade,
      block {text} not null,
      position {int} not null,
      file {text} not null,
      size_bytes {int} not null,
      primary key (upload_id, block)
    ) {clustered}`,

    "alter table action_tasks add column sealed_secrets {text}",
    "create index action_tasks_secrets on action_tasks (stopped_ms) where sealed_secrets is not null",
    "create index action_tasks_log_age on action_tasks (stopped_ms) where log_rows > 0",
  ],
};
