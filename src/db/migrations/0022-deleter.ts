import type { Migration } from "./migration.ts";

/** Who deleted a repository: what an owner has deleted, its owners bring back; what an administrator took away, they do not. */
export const deleter: Migration = {
  id: 22,
  name: "who deleted a repository",
  statements: [
    "alter table repositories add column deleter_id {int} references accounts (id) on delete set null",
    "create index repositories_deleter on repositories (deleter_id) where deleter_id is not null",
  ],
};
