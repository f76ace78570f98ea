import type { Migration } from "./migration.ts";

/** Why an account is notified, and how it wants to be notified for each reason. */
export const notificationReasons: Migration = {
  id: 52,
  name: "notification reasons",
  statements: [
    "alter table notifications add column reason {text}",
    `create table notification_choices (
      account_id {int} not null references accounts (id) on delete cascade,
      kind {text} not null,
      web {int} not null,
      email {int} not null,
      primary key (account_id, kind)
    ) {table}`,
  ],
};
