import type { Migration } from "./migration.ts";

/** Indexes for finding refs by object and stored results by path, and the number of commits in the history of a path. */
export const commitLookups: Migration = {
  id: 28,
  name: "lookups of commits",
  statements: [
    "create index refs_oid on refs (store_id, oid)",
    "create index last_commits_path on last_commits (store_id, path)",
    `create table path_counts (
      store_id {int} not null references git_stores (id) on delete cascade,
      tip_oid {text} not null,
      path {text} not null,
      count {int} not null,
      primary key (store_id, path, tip_oid)
    ) {clustered}`,
  ],
};
