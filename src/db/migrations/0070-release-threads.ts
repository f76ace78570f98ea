import type { Migration } from "./migration.ts";

export const releaseThreads: Migration = {
  id: 70,
  name: "release threads",
  indexes: ["create index notifications_release on notifications (release_id) where release_id is not null"],
  statements: [],
};
