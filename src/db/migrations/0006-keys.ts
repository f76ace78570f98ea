import type { Migration } from "./migration.ts";

export const keys: Migration = {
  id: 6,
  name: "public keys",
  statements: [
    // A key belongs to one account, or to none and grants access to repositories (deploy_keys). It never authenticates two accounts.
    `create table public_keys (
      id {id},
      account_id {int} references accounts (id) on delete cascade,
      title {text} not null,
      content {text} not null,
      fingerprint {text} not null,
      created_ms {int} not null,
      last_used_ms {int} not null default 0
    ) {table}`,
    "create unique index public_keys_fingerprint on public_keys (fingerprint)",
    "create unique index public_keys_title on public_keys (account_id, title)",

    `create table deploy_keys (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      key_id {int} not null references public_keys (id) on delete cascade,
      title {text} not null,
      is_read_only {int} not null,
      created_ms {int} not null,
      last_used_ms {int} not null default 0
    ) {table}`,
    "create unique index deploy_keys_key on deploy_keys (repo_id, key_id)",
    "create unique index deploy_keys_title on deploy_keys (repo_id, title)",
    "create index deploy_keys_key_id on deploy_keys (key_id)",

    // A subkey is a row like its primary key, and is deleted with it.
    `create table gpg_keys (
      id {id},
      account_id {int} not null references accounts (id) on delete cascade,
      primary_id {int} references gpg_keys (id) on delete cascade,
      fingerprint {text} not null,
      key_id {text} not null,
      packet {text} not null,
      content {text} not null,
      emails {text} not null,
      can_sign {int} not null,
      can_certify {int} not null,
      can_encrypt_comms {int} not null,
      can_encrypt_storage {int} not null,
      is_verified {int} not null,
      made_ms {int} not null,
      expires_ms {int},
      revoked_ms {int},
      is_revocation_soft {int} not null,
      created_ms {int} not null
    ) {table}`,
    "create unique index gpg_keys_fingerprint on gpg_keys (fingerprint) where primary_id is null",
    "create index gpg_keys_account on gpg_keys (account_id, id)",
    "create index gpg_keys_primary on gpg_keys (primary_id) where primary_id is not null",
    "create index gpg_keys_key_id on gpg_keys (key_id)",
  ],
};
