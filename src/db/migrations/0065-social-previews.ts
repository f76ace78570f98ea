import type { Migration } from "./migration.ts";

/** The image that other sites show with links to a repository: the name of an uploaded picture, or empty. */
export const socialPreviews: Migration = {
  id: 65,
  name: "social previews",
  statements: ["alter table repositories add column preview {text} not null default ''"],
};
