import type { Migration } from "./migration.ts";

/** The account that deleted a repository: owners can restore what an owner deleted, but not what an administrator deleted. */
export const deleter: Migration = {
  id: 22,
  name: "who deleted a repository",
  statements: [
    "alter table repositories add column deleter_id {int} references accounts (id) on delete set null",
    "create index repositories_deleter on repositories (deleter_id) where deleter_id is not null",
  ],
};
