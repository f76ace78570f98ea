import type { Migration } from "./migration.ts";

export const commentRanges: Migration = {
  id: 35,
  name: "comments on several lines",
  statements: ["alter table review_comments add column start_line {int}"],
};
