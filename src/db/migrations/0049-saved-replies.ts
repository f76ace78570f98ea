import type { Migration } from "./migration.ts";

/** Texts that users insert into their comments. */
export const savedReplies: Migration = {
  id: 49,
  name: "saved replies",
  statements: [
    `create table saved_replies (
      id {id},
      account_id {int} not null references accounts (id) on delete cascade,
      title {text} not null,
      content {text} not null,
      updated_ms {int} not null
    ) {table}`,
    "create index saved_replies_account on saved_replies (account_id, id)",
  ],
};
