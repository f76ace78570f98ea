import type { Migration } from "./migration.ts";

export const pulls: Migration = {
  id: 11,
  name: "pull requests, reviews",
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
    // A push reads these two, for any number of pull requests.
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

    `create table reviews (
      id {id},
      issue_id {int} not null references issues (id) on delete cascade,
      kind {text} not null,
      reviewer_id {int} references accounts (id) on delete set null,
      team_id {int} references teams (id) on delete cascade,
      content {text} not null,
      commit_oid {text} not null,
      seen_oid {text} not null,
      base_branch {text} not null,
      is_official {int} not null,
      is_dismissed {int} not null default 0,
      entry_id {int} references comments (id) on delete set null,
      created_ms {int} not null,
      updated_ms {int} not null
    ) {table}`,
    "create index reviews_issue on reviews (issue_id, id)",
    "create unique index reviews_pending on reviews (issue_id, reviewer_id) where kind = 'pending'",
    "create unique index reviews_requested on reviews (issue_id, reviewer_id) where kind = 'request' and team_id is null",
    "create unique index reviews_requested_team on reviews (issue_id, team_id) where kind = 'request' and team_id is not null",
    // For searching issues by a user's reviews.
    "create index reviews_reviewer on reviews (reviewer_id, kind, issue_id) where reviewer_id is not null",
    "create index reviews_team on reviews (team_id, issue_id) where team_id is not null",
    "create index reviews_entry on reviews (entry_id) where entry_id is not null",

    `create table review_comments (
      comment_id {int} primary key references comments (id) on delete cascade,
      review_id {int} not null references reviews (id) on delete cascade,
      issue_id {int} not null references issues (id) on delete cascade,
      thread_id {int} not null,
      path {text} not null,
      side {text} not null,
      line {int} not null,
      written_oid {text} not null,
      commit_oid {text} not null,
      hunk {text} not null,
      resolver_id {int} references accounts (id) on delete set null,
      start_line {int}
    ) {table}`,
    "create index review_comments_review on review_comments (review_id, comment_id)",
    "create index review_comments_issue on review_comments (issue_id, path)",
    "create index review_comments_thread on review_comments (thread_id)",
    "create index review_comments_resolver on review_comments (resolver_id) where resolver_id is not null",

    `create table viewed_files (
      account_id {int} not null references accounts (id) on delete cascade,
      issue_id {int} not null references issues (id) on delete cascade,
      file_key {text} not null,
      primary key (account_id, issue_id, file_key)
    ) {table}`,
    "create index viewed_files_issue on viewed_files (issue_id)",
  ],
};
