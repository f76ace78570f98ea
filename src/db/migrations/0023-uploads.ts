import type { Migration } from "./migration.ts";

/** Files uploaded for a text that is not submitted yet, by uploader: each upload counts those of its user. */
export const uploads: Migration = {
  id: 23,
  name: "uploads that wait for a text",
  statements: ["create index attachments_waiting on attachments (uploader_id, created_ms) where issue_id is null and release_id is null"],
};
