import type { Migration } from "./migration.ts";

export const participants: Migration = {
  id: 36,
  name: "reviewers take part",
  statements: [
    "drop index comments_participants",
    "create index comments_participants on comments (issue_id, poster_id) where kind in ('comment', 'review') and poster_id is not null",
  ],
};
