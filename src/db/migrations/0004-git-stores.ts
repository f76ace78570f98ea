import type { Migration } from "./migration.ts";

export const gitStores: Migration = {
  id: 4,
  name: "git stores",
  statements: [
    `create table git_stores (
      id {id},
      object_format {text} not null,
      head_ref {text} not null,
      refs_version {int} not null default 0,
      projected_version {int} not null default 0,
      size_bytes {int} not null default 0,
      writes_since_housekeeping {int} not null default 0,
      collected_version {int} not null default 0,
      created_ms {int} not null,
      checked_ms {int} not null default 0
    ) {table}`,
    "create index git_stores_unprojected on git_stores (id) where projected_version < refs_version",
    "create index git_stores_untidied on git_stores (id) where writes_since_housekeeping > 0",
    "create index git_stores_checked on git_stores (checked_ms, id)",

    `create table refs (
      store_id {int} not null references git_stores (id) on delete cascade,
      name {text} not null,
      oid {text} not null,
      type {text} not null,
      peeled_oid {text} not null,
      tip_ms {int} not null,
      updated_ms {int} not null,
      primary key (store_id, name)
    ) {clustered}`,

    `create table commit_counts (
      store_id {int} not null references git_stores (id) on delete cascade,
      oid {text} not null,
      count {int} not null,
      primary key (store_id, oid)
    ) {clustered}`,

    `create table commit_changes (
      store_id {int} not null references git_stores (id) on delete cascade,
      oid {text} not null,
      changes {text} not null,
      primary key (store_id, oid)
    ) {table}`,

    `create table last_commits (
      store_id {int} not null references git_stores (id) on delete cascade,
      tip_oid {text} not null,
      path {text} not null,
      entries {text} not null,
      primary key (store_id, tip_oid, path)
    ) {table}`,

    `create table store_problems (
      id {id},
      store_id {int} not null references git_stores (id) on delete cascade,
      problem {text} not null,
      found_ms {int} not null
    ) {table}`,
    "create index store_problems_store on store_problems (store_id, id)",
  ],
};
