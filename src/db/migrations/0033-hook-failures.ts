import type { Migration } from "./migration.ts";

export const hookFailures: Migration = {
  id: 33,
  name: "whether owners of webhooks know of their failures",
  statements: ["alter table hooks add column failure_told_ms {int}"],
};
