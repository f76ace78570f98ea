import type { Migration } from "./migration.ts";

export const sessions: Migration = {
  id: 11,
  name: "sessions",
  statements: [
    // credential_version is the account's at the sign-in: when that counts up, the sessions of before are over.
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
  ],
};
