import type { Migration } from "./migration.ts";

export const gpgKeys: Migration = {
  id: 14,
  name: "OpenPGP keys",
  statements: [
    // A subkey is a row like its key, and goes with it.
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
