import type { Migration } from "./migration.ts";

/** The last change that a user made to several issues of a repository at once, so that they can undo it. */
export const bulkChanges: Migration = {
  id: 34,
  name: "changes of several issues",
  statements: [
    `create table bulk_changes (
      account_id {int} not null references accounts (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      changes {text} not null,
      created_ms {int} not null,
      primary key (account_id, repo_id)
    ) {clustered}`,
    "create index bulk_changes_repo on bulk_changes (repo_id)",
  ],
};
