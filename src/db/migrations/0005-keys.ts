import type { Migration } from "./migration.ts";

export const keys: Migration = {
  id: 5,
  name: "public keys",
  statements: [
    // A key is somebody's, or nobody's and acts for repositories (deploy_keys): it never says of two accounts that it is them.
    `create table public_keys (
      id {id},
      account_id {int} references accounts (id) on delete cascade,
      title {text} not null,
      content {text} not null,
      fingerprint {text} not null,
      created_ms {int} not null
    ) {table}`,
    "create unique index public_keys_fingerprint on public_keys (fingerprint)",
    "create unique index public_keys_title on public_keys (account_id, title)",

    `create table deploy_keys (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      key_id {int} not null references public_keys (id) on delete cascade,
      title {text} not null,
      is_read_only {int} not null,
      created_ms {int} not null
    ) {table}`,
    "create unique index deploy_keys_key on deploy_keys (repo_id, key_id)",
    "create unique index deploy_keys_title on deploy_keys (repo_id, title)",
    "create index deploy_keys_key_id on deploy_keys (key_id)",
  ],
};
