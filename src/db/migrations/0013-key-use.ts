import type { Migration } from "./migration.ts";

export const keyUse: Migration = {
  id: 13,
  name: "last use of keys",
  statements: [
    "alter table public_keys add column last_used_ms {int} not null default 0",
    "alter table deploy_keys add column last_used_ms {int} not null default 0",
  ],
};
