import type { Migration } from "./migration.ts";

/** Files that were uploaded for a text that nobody has sent yet, by their age. */
export const uploads: Migration = {
  id: 23,
  name: "uploads that wait for a text",
  statements: ["create index attachments_waiting on attachments (created_ms) where issue_id is null and release_id is null"],
};
