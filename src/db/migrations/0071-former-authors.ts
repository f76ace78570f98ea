import type { Migration } from "./migration.ts";

/** Authors of comments on commits that were imported from an export and have no account. */
export const formerAuthors: Migration = {
  id: 71,
  name: "former authors of comments on commits",
  statements: [
    "alter table commit_comments add column original_author {text} not null default ''",
    "alter table commit_comments add column original_author_id {int} not null default 0",
  ],
};
