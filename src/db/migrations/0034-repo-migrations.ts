import type { Migration } from "./migration.ts";

export const repoMigrations: Migration = {
  id: 34,
  name: "migrations of repositories are jobs",
  statements: [
    "drop table running_migrations",
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
    // A name is brought once at a time.
    "create unique index repo_migrations_open on repo_migrations (owner_id, name_folded) where ended_ms is null",
    "create index repo_migrations_ended on repo_migrations (ended_ms) where ended_ms is not null",
    "create index repo_migrations_store on repo_migrations (code_store_id) where code_store_id is not null",
    "create index repo_migrations_repo on repo_migrations (repo_id) where repo_id is not null",
  ],
};
