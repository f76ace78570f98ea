import type { Migration } from "./migration.ts";

export const accountCodes: Migration = {
  id: 21,
  name: "codes that letters carry",
  statements: [
    `create table account_codes (
      id {id},
      code_hash {text} not null,
      purpose {text} not null,
      account_id {int} not null references accounts (id) on delete cascade,
      email {text} not null,
      credential_version {int} not null,
      created_ms {int} not null,
      expires_ms {int} not null
    ) {table}`,
    "create unique index account_codes_hash on account_codes (code_hash)",
    "create unique index account_codes_account on account_codes (account_id, purpose, email)",
    "create index account_codes_expires on account_codes (expires_ms)",
  ],
};
