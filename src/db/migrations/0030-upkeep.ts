import type { Migration } from "./migration.ts";

export const upkeep: Migration = {
  id: 30,
  name: "checks of stores, and what files of repositories take",
  statements: [
    "alter table git_stores add column checked_ms {int} not null default 0",
    "create index git_stores_checked on git_stores (checked_ms, id)",
    `create table store_problems (
      id {id},
      store_id {int} not null references git_stores (id) on delete cascade,
      problem {text} not null,
      found_ms {int} not null
    ) {table}`,
    "create index store_problems_store on store_problems (store_id, id)",

    "alter table repositories add column files_bytes {int} not null default 0",
    `update repositories set files_bytes =
      coalesce((select sum(o.size_bytes) from lfs_objects o where o.repo_id = repositories.id), 0) +
      coalesce((select sum(a.size_bytes) from attachments a where a.repo_id = repositories.id), 0)`,
  ],
};
