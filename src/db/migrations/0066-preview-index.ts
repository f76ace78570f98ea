import type { Migration } from "./migration.ts";

/** Finds the repositories of an uploaded preview, like the index on avatars. */
export const previewIndex: Migration = {
  id: 66,
  name: "preview index",
  statements: [],
  indexes: ["create index repositories_preview on repositories (preview) where preview <> ''"],
};
