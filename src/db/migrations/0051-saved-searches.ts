import type { Migration } from "./migration.ts";

/** Queries that users keep under a name. */
export const savedSearches: Migration = {
  id: 51,
  name: "saved searches",
  statements: [
    `create table saved_searches (
      id {id},
      account_id {int} not null references accounts (id) on delete cascade,
      kind {text} not null,
      name {text} not null,
      query {text} not null,
      updated_ms {int} not null
    ) {table}`,
    "create index saved_searches_account on saved_searches (account_id, id)",
  ],
};
