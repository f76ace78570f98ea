import type { Migration } from "./migration.ts";

export const lfs: Migration = {
  id: 20,
  name: "objects and locks of git lfs",
  statements: [
    // An object is a repository's own: that another one has it says nothing about who may read it.
    `create table lfs_objects (
      repo_id {int} not null references repositories (id) on delete cascade,
      oid {text} not null,
      size_bytes {int} not null,
      file {text} not null,
      created_ms {int} not null,
      primary key (repo_id, oid)
    ) {clustered}`,
    "create index lfs_objects_file on lfs_objects (file)",

    `create table lfs_locks (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      path {text} not null,
      created_ms {int} not null
    ) {table}`,
    "create unique index lfs_locks_path on lfs_locks (repo_id, path)",
    "create index lfs_locks_id on lfs_locks (repo_id, id)",
    "create index lfs_locks_account on lfs_locks (account_id)",
  ],
};
