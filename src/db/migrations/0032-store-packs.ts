import type { Migration } from "./migration.ts";

/** The packs of each store, for nodes that share them through the database and a bucket. */
export const storePacks: Migration = {
  id: 32,
  name: "packs of stores",
  statements: [
    "alter table git_stores add column packs_version {int} not null default 0",
    `create table store_packs (
      store_id {int} not null references git_stores (id) on delete cascade,
      name {text} not null,
      parts {text} not null,
      size_bytes {int} not null,
      digest {text} not null,
      file {text},
      created_ms {int} not null,
      primary key (store_id, name)
    ) {clustered}`,
    { sqlite: "alter table store_packs add column content blob", postgres: "alter table store_packs add column content bytea" },
    `create table replaced_packs (
      file {text} not null primary key,
      replaced_ms {int} not null
    ) {clustered}`,
    "create index store_packs_file on store_packs (file) where file is not null",
  ],
};
