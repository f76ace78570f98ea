import type { Migration } from "./migration.ts";

export const deletedBranches: Migration = {
  id: 18,
  name: "deleted branches",
  statements: [
    `create table deleted_branches (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      store_id {int} not null references git_stores (id) on delete cascade,
      name {text} not null,
      oid {text} not null,
      deleter_id {int} references accounts (id) on delete set null,
      deleted_ms {int} not null
    ) {table}`,
    "create index deleted_branches_repo on deleted_branches (repo_id, id)",
    "create index deleted_branches_store on deleted_branches (store_id)",
    "create index deleted_branches_deleter on deleted_branches (deleter_id)",
    "create index deleted_branches_age on deleted_branches (deleted_ms)",
  ],
};
