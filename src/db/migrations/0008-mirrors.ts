import type { Migration } from "./migration.ts";

export const mirrors: Migration = {
  id: 8,
  name: "mirrors, repositories from elsewhere",
  statements: [
    // Credentials are sealed, and addresses contain none. A mirror without a next time is synchronized only on request.
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

    `create table repo_migrations (
      id {id},
      account_id {int} not null references accounts (id) on delete cascade,
      owner_id {int} not null references accounts (id) on delete cascade,
      name_folded {text} not null,
      full_name {text} not null,
      address {text} not null,
      wish {text},
      state {text} not null,
      phase {text} not null,
      received_bytes {int} not null default 0,
      resumes_ms {int},
      is_cancelled {int} not null default 0,
      code_store_id {int} references git_stores (id) on delete set null,
      repo_id {int} references repositories (id) on delete set null,
      error_code {text} not null default '',
      error {text} not null default '',
      created_ms {int} not null,
      ended_ms {int}
    ) {table}`,
    "create index repo_migrations_account on repo_migrations (account_id, id)",
    // At most one unfinished migration per name.
    "create unique index repo_migrations_open on repo_migrations (owner_id, name_folded) where ended_ms is null",
    "create index repo_migrations_ended on repo_migrations (ended_ms) where ended_ms is not null",
    "create index repo_migrations_store on repo_migrations (code_store_id) where code_store_id is not null",
    "create index repo_migrations_repo on repo_migrations (repo_id) where repo_id is not null",
  ],
};
