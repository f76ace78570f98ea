import type { Migration } from "./migration.ts";

export const drafts: Migration = {
  id: 38,
  name: "drafts",
  statements: [
    `create table drafts (
      account_id {int} not null references accounts (id) on delete cascade,
      form {text} not null,
      fields {text} not null,
      updated_ms {int} not null,
      primary key (account_id, form)
    ) {table}`,
    "create index drafts_updated on drafts (updated_ms)",
  ],
};
