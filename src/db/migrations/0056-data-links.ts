import type { Migration } from "./migration.ts";

/** Links for one download of the data of an account. */
export const dataLinks: Migration = {
  id: 56,
  name: "data links",
  statements: [
    `create table data_links (
      account_id {int} not null references accounts (id) on delete cascade,
      code_hash {text} not null,
      expires_ms {int} not null,
      primary key (account_id)
    ) {table}`,
    "create index data_links_expiry on data_links (expires_ms)",
  ],
};
