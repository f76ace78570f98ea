import type { Migration } from "./migration.ts";

export const mirrors: Migration = {
  id: 24,
  name: "mirrors: what is fetched from elsewhere, and what is pushed there",
  statements: [
    // Credentials are sealed; an address has none in it. A mirror without a next time is synchronized only when somebody asks.
    `create table pull_mirrors (
      repo_id {int} not null primary key references repositories (id) on delete cascade,
      address {text} not null,
      credentials {text},
      wiki_address {text},
      interval_ms {int} not null,
      next_sync_ms {int},
      synced_ms {int} not null,
      failures {int} not null default 0,
      last_error {text} not null default ''
    ) {table}`,
    "create index pull_mirrors_due on pull_mirrors (next_sync_ms) where next_sync_ms is not null",

    `create table push_mirrors (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      name {text} not null,
      address {text} not null,
      credentials {text},
      interval_ms {int} not null,
      syncs_on_commit {int} not null,
      next_sync_ms {int},
      synced_ms {int} not null default 0,
      failures {int} not null default 0,
      last_error {text} not null default '',
      created_ms {int} not null
    ) {table}`,
    "create unique index push_mirrors_name on push_mirrors (repo_id, name)",
    "create index push_mirrors_due on push_mirrors (next_sync_ms) where next_sync_ms is not null",
  ],
};
