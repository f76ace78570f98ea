import type { Migration } from "./migration.ts";

/** Files that were uploaded for a text that nobody has sent yet, by who did: each upload counts his. */
export const uploads: Migration = {
  id: 23,
  name: "uploads that wait for a text",
  statements: ["create index attachments_waiting on attachments (uploader_id, created_ms) where issue_id is null and release_id is null"],
};
