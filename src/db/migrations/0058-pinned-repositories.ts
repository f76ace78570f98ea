import type { Migration } from "./migration.ts";

/** The repositories that a profile shows first. */
export const pinnedRepositories: Migration = {
  id: 58,
  name: "pinned repositories",
  statements: [
    `create table pinned_repositories (
      account_id {int} not null references accounts (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      position {int} not null,
      primary key (account_id, repo_id)
    ) {clustered}`,
    "create index pinned_repositories_repo on pinned_repositories (repo_id)",
  ],
};
