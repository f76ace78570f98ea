import type { Migration } from "./migration.ts";

export const pullRequests: Migration = {
  id: 23,
  name: "pull requests",
  statements: [
    `create table pull_requests (
      id {id},
      issue_id {int} not null references issues (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      base_branch {text} not null,
      head_repo_id {int} references repositories (id) on delete set null,
      head_branch {text} not null,
      head_oid {text} not null,
      flow {text} not null,
      allows_maintainer_edit {int} not null,
      merged_merge_base_oid {text},
      merged_base_oid {text},
      merged_ms {int},
      merger_id {int} references accounts (id) on delete set null,
      merge_style {text},
      merge_commit_oid {text}
    ) {table}`,
    "create unique index pull_requests_issue on pull_requests (issue_id)",
    // A push asks for these two, whatever the number of pull requests.
    "create index pull_requests_base on pull_requests (repo_id, base_branch, issue_id)",
    "create index pull_requests_head on pull_requests (head_repo_id, head_branch, issue_id) where head_repo_id is not null",
    "create index pull_requests_merge_commit on pull_requests (repo_id, merge_commit_oid) where merge_commit_oid is not null",
    "create index pull_requests_merger on pull_requests (merger_id) where merger_id is not null",

    `create table pull_checks (
      pull_id {int} primary key references pull_requests (id) on delete cascade,
      base_oid {text} not null,
      head_oid {text} not null,
      merge_base_oid {text},
      outcome {text} not null,
      is_empty {int} not null,
      changed_files {int},
      additions {int},
      deletions {int}
    ) {table}`,

    `create table pull_auto_merges (
      pull_id {int} primary key references pull_requests (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      style {text} not null,
      title {text} not null,
      message {text} not null,
      deletes_branch {int} not null,
      head_oid {text} not null,
      created_ms {int} not null
    ) {table}`,
    "create index pull_auto_merges_account on pull_auto_merges (account_id)",
  ],
};
