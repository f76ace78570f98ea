import type { Migration } from "./migration.ts";

/** Kinds of activity of watched repositories, ignored repositories, and threads about releases. Programs before watch everything. */
export const watchLevels: Migration = {
  id: 69,
  name: "watch levels",
  statements: [
    "alter table watches add column issues {int} not null default 1",
    "alter table watches add column pulls {int} not null default 1",
    "alter table watches add column releases {int} not null default 1",
    `create table ignored_repositories (
      repo_id {int} not null references repositories (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      created_ms {int} not null,
      primary key (repo_id, account_id)
    ) {clustered}`,
    "create index ignored_repositories_account on ignored_repositories (account_id, repo_id)",
    "alter table notifications add column release_id {int} references releases (id) on delete cascade",
  ],
};
