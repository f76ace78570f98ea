import type { Migration } from "./migration.ts";

export const credentials: Migration = {
  id: 2,
  name: "credentials, sign-in",
  statements: [
    // is_limited is a column of its own: a token whose last repository is deleted must not gain access to all repositories.
    `create table access_tokens (
      id {id},
      account_id {int} not null references accounts (id) on delete cascade,
      name {text} not null,
      token_hash {text} not null,
      last_eight {text} not null,
      scopes {text} not null,
      created_ms {int} not null,
      last_used_ms {int} not null,
      expires_ms {int},
      is_limited {int} not null default 0
    ) {table}`,
    "create unique index access_tokens_hash on access_tokens (token_hash)",
    "create unique index access_tokens_name on access_tokens (account_id, name)",

    `create table second_factors (
      account_id {int} primary key references accounts (id) on delete cascade,
      sealed_secret {text} not null,
      last_step {int} not null default 0,
      created_ms {int} not null,
      confirmed_ms {int}
    ) {table}`,

    `create table recovery_codes (
      account_id {int} not null references second_factors (account_id) on delete cascade,
      code_hash {text} not null,
      primary key (account_id, code_hash)
    ) {clustered}`,

    // No foreign keys: names without an account are throttled like those of accounts.
    `create table sign_in_throttles (
      subject {text} primary key,
      forgotten_ms {int} not null
    ) {table}`,
    "create index sign_in_throttles_forgotten on sign_in_throttles (forgotten_ms)",

    `create table sign_in_networks (
      account_id {int} not null references accounts (id) on delete cascade,
      network {text} not null,
      seen_ms {int} not null,
      primary key (account_id, network)
    ) {clustered}`,
    "create index sign_in_networks_seen on sign_in_networks (seen_ms)",

    // credential_version is that of the account at the sign-in: incrementing the account's version ends all earlier sessions.
    `create table sessions (
      id {id},
      secret_hash {text} not null,
      account_id {int} not null references accounts (id) on delete cascade,
      stage {text} not null,
      credential_version {int} not null,
      address {text} not null,
      user_agent {text} not null,
      created_ms {int} not null,
      seen_ms {int} not null,
      expires_ms {int} not null
    ) {table}`,
    "create unique index sessions_secret on sessions (secret_hash)",
    "create index sessions_account on sessions (account_id, id)",
    "create index sessions_seen on sessions (seen_ms)",
    "create index sessions_expiry on sessions (expires_ms)",

    // accounts.source_id references this table, or is 0 for accounts with a local password.
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
