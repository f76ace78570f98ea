import type { Migration } from "./migration.ts";

/** Failures that administrators should know, until they delete them. */
export const systemNotices: Migration = {
  id: 64,
  name: "system notices",
  statements: [
    // No foreign keys: a notice outlives its subject.
    `create table system_notices (
      id {id},
      kind {text} not null,
      details {text} not null,
      created_ms {int} not null
    ) {table}`,
    "create index system_notices_created on system_notices (created_ms)",
  ],
};
