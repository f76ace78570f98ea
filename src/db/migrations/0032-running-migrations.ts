import type { Migration } from "./migration.ts";

export const runningMigrations: Migration = {
  id: 32,
  name: "migrations that are under way",
  statements: [
    // A row lives as long as the request that it tells of; one that was not seen for long is that of a process that has ended.
    `create table running_migrations (
      id {id},
      account_id {int} not null references accounts (id) on delete cascade,
      full_name {text} not null,
      address {text} not null,
      phase {text} not null,
      received_bytes {int} not null default 0,
      is_cancelled {int} not null default 0,
      started_ms {int} not null,
      seen_ms {int} not null
    ) {table}`,
    "create index running_migrations_account on running_migrations (account_id, id)",
    "create index running_migrations_seen on running_migrations (seen_ms)",
  ],
};
