import type { Migration } from "./migration.ts";

export const reviews: Migration = {
  id: 27,
  name: "reviews of pull requests",
  statements: [
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
    // What the search for issues asks of somebody's reviews.
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
      resolver_id {int} references accounts (id) on delete set null
    ) {table}`,
    "create index review_comments_review on review_comments (review_id, comment_id)",
    "create index review_comments_issue on review_comments (issue_id, path)",
    "create index review_comments_thread on review_comments (thread_id)",
    "create index review_comments_resolver on review_comments (resolver_id) where resolver_id is not null",
  ],
};
