import type { Migration } from "./migration.ts";

export const notifications: Migration = {
  id: 18,
  name: "notifications",
  statements: [
    `create table notifications (
      id {id},
      account_id {int} not null references accounts (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      issue_id {int} not null references issues (id) on delete cascade,
      status {text} not null,
      comment_id {int} references comments (id) on delete set null,
      created_ms {int} not null,
      updated_ms {int} not null
    ) {table}`,
    "create unique index notifications_thread on notifications (account_id, issue_id)",
    "create index notifications_latest on notifications (account_id, updated_ms, id)",
    "create index notifications_open on notifications (account_id, updated_ms, id) where status <> 'read'",
    "create index notifications_by_repo on notifications (account_id, repo_id, status)",
    "create index notifications_issue on notifications (issue_id)",
    "create index notifications_repo on notifications (repo_id)",
    "create index notifications_comment on notifications (comment_id) where comment_id is not null",
    // Who has written under an issue: asked for with every comment.
    "create index comments_participants on comments (issue_id, poster_id) where kind = 'comment' and poster_id is not null",
  ],
};
