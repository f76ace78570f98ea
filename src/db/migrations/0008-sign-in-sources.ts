import type { Migration } from "./migration.ts";

export const signInSources: Migration = {
  id: 8,
  name: "sign-in sources",
  statements: [
    // accounts.source_id names a row of this table, or is 0 for accounts whose password is kept here.
    `create table authentication_sources (
      id {id},
      kind {text} not null,
      name {text} not null,
      name_folded {text} not null,
      is_active {int} not null,
      auto_register {int} not null,
      settings {text} not null,
      sealed_secret {text} not null,
      created_ms {int} not null,
      updated_ms {int} not null
    ) {table}`,
    "create unique index authentication_sources_name on authentication_sources (name_folded)",
    "create index accounts_source on accounts (source_id, lower(login_name))",

    `create table external_identities (
      id {id},
      account_id {int} not null references accounts (id) on delete cascade,
      source_id {int} not null references authentication_sources (id) on delete cascade,
      subject {text} not null,
      label {text} not null,
      created_ms {int} not null,
      last_used_ms {int} not null
    ) {table}`,
    "create unique index external_identities_subject on external_identities (source_id, subject)",
    "create unique index external_identities_account on external_identities (account_id, source_id)",
  ],
};
