import type { Migration } from "./migration.ts";

/** Lists of the repositories that a user has starred. */
export const starLists: Migration = {
  id: 60,
  name: "star lists",
  statements: [
    `create table star_lists (
      id {id},
      account_id {int} not null references accounts (id) on delete cascade,
      name {text} not null,
      description {text} not null,
      is_private {int} not null,
      updated_ms {int} not null
    ) {table}`,
    "create index star_lists_account on star_lists (account_id, id)",
    `create table star_list_repositories (
      list_id {int} not null references star_lists (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      added_ms {int} not null,
      primary key (list_id, repo_id)
    ) {clustered}`,
    "create index star_list_repositories_repo on star_list_repositories (repo_id)",
  ],
};
