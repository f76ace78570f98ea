import type { Migration } from "./migration.ts";

/** A row has no issue: the API of commits has no comments. */
export const commitComments: Migration = {
  id: 68,
  name: "commit comments",
  statements: [
    `create table commit_comments (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      commit_oid {text} not null,
      poster_id {int} references accounts (id) on delete set null,
      content {text} not null,
      content_version {int} not null default 0,
      created_ms {int} not null,
      updated_ms {int} not null
    ) {table}`,
    "create index commit_comments_commit on commit_comments (repo_id, commit_oid, id)",
    "create index commit_comments_poster on commit_comments (poster_id)",
  ],
};
