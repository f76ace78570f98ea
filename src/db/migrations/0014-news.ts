import type { Migration } from "./migration.ts";

export const news: Migration = {
  id: 14,
  name: "activities, notifications",
  statements: [
    // One row per activity, for all readers. Feeds select by actor, repository or owner.
    `create table activities (
      id {id},
      kind {text} not null,
      actor_id {int} not null references accounts (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      owner_id {int} references accounts (id) on delete set null,
      ref_name {text} not null,
      old_oid {text},
      new_oid {text},
      subject {text} not null,
      comment_id {int},
      created_ms {int} not null
    ) {table}`,
    // Each index has the order of feeds, so that rows are not sorted.
    "create index activities_actor on activities (actor_id, created_ms, id)",
    "create index activities_repo on activities (repo_id, created_ms, id)",
    "create index activities_owner on activities (owner_id, created_ms, id)",
    "create index activities_created on activities (created_ms)",

    `create table notifications (
      id {id},
      account_id {int} not null references accounts (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      issue_id {int} references issues (id) on delete cascade,
      commit_oid {text},
      status {text} not null,
      comment_id {int} references comments (id) on delete set null,
      created_ms {int} not null,
      updated_ms {int} not null
    ) {table}`,
    "create unique index notifications_thread on notifications (account_id, issue_id) where issue_id is not null",
    "create unique index notifications_commit on notifications (account_id, repo_id, commit_oid) where commit_oid is not null",
    "create unique index notifications_repository on notifications (account_id, repo_id) where issue_id is null and commit_oid is null",
    "create index notifications_latest on notifications (account_id, updated_ms, id)",
    "create index notifications_open on notifications (account_id, updated_ms, id) where status <> 'read'",
    "create index notifications_by_repo on notifications (account_id, repo_id, status)",
    "create index notifications_issue on notifications (issue_id) where issue_id is not null",
    "create index notifications_repo on notifications (repo_id)",
    "create index notifications_comment on notifications (comment_id) where comment_id is not null",
  ],
};
