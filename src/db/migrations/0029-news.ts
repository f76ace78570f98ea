import type { Migration } from "./migration.ts";

/** Threads are of commits and of repositories too, and people choose which news reach them by mail. */
export const news: Migration = {
  id: 29,
  name: "news",
  statements: [
    // One of the databases cannot take back that a column holds something.
    "alter table notifications rename to former_notifications",
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
    `insert into notifications (id, account_id, repo_id, issue_id, status, comment_id, created_ms, updated_ms)
      select id, account_id, repo_id, issue_id, status, comment_id, created_ms, updated_ms from former_notifications`,
    {
      sqlite: null,
      postgres: "select setval(pg_get_serial_sequence('notifications', 'id'), (select coalesce(max(id), 0) + 1 from notifications), false)",
    },
    "drop table former_notifications",
    "create unique index notifications_thread on notifications (account_id, issue_id) where issue_id is not null",
    "create unique index notifications_commit on notifications (account_id, repo_id, commit_oid) where commit_oid is not null",
    "create unique index notifications_repository on notifications (account_id, repo_id) where issue_id is null and commit_oid is null",
    "create index notifications_latest on notifications (account_id, updated_ms, id)",
    "create index notifications_open on notifications (account_id, updated_ms, id) where status <> 'read'",
    "create index notifications_by_repo on notifications (account_id, repo_id, status)",
    "create index notifications_issue on notifications (issue_id) where issue_id is not null",
    "create index notifications_repo on notifications (repo_id)",
    "create index notifications_comment on notifications (comment_id) where comment_id is not null",

    "alter table accounts add column email_notifications {text} not null default 'enabled'",
  ],
};
