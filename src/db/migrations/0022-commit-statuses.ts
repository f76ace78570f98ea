import type { Migration } from "./migration.ts";

export const commitStatuses: Migration = {
  id: 22,
  name: "commit statuses",
  statements: [
    `create table commit_statuses (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      oid {text} not null,
      number {int} not null,
      context {text} not null,
      state {text} not null,
      description {text} not null,
      target_url {text} not null,
      creator_id {int} references accounts (id) on delete set null,
      created_ms {int} not null
    ) {table}`,
    "create unique index commit_statuses_number on commit_statuses (repo_id, oid, number)",
    "create index commit_statuses_context on commit_statuses (repo_id, oid, context, number)",
    "create index commit_statuses_creator on commit_statuses (creator_id) where creator_id is not null",
  ],
};
