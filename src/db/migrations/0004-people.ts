import type { Migration } from "./migration.ts";

export const people: Migration = {
  id: 4,
  name: "follows, blocks",
  statements: [
    `create table follows (
      target_id {int} not null references accounts (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      created_ms {int} not null,
      primary key (target_id, account_id)
    ) {clustered}`,
    "create index follows_account on follows (account_id, target_id)",

    `create table blocks (
      blocker_id {int} not null references accounts (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      note {text} not null,
      created_ms {int} not null,
      primary key (blocker_id, account_id)
    ) {clustered}`,
    "create index blocks_account on blocks (account_id, blocker_id)",
  ],
};
