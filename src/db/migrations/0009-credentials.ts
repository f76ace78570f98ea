import type { Migration } from "./migration.ts";

export const credentials: Migration = {
  id: 9,
  name: "limits of tokens, second factors, failed sign-ins",
  statements: [
    "alter table access_tokens add column expires_ms {int}",
    // Not told by the rows: a token whose last repository is deleted must not come to act on all.
    "alter table access_tokens add column is_limited {int} not null default 0",
    `create table access_token_repositories (
      token_id {int} not null references access_tokens (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      primary key (token_id, repo_id)
    ) {clustered}`,
    "create index access_token_repositories_repo on access_token_repositories (repo_id)",

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

    // No foreign keys: names that nobody has are throttled like those of accounts.
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
  ],
};
