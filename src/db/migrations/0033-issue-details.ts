import type { Migration } from "./migration.ts";

/** Facts of issues that searches compare: thousands at a time, whose rows contain the texts. */
export const issueDetails: Migration = {
  id: 33,
  name: "details of issues",
  statements: [
    "create index issues_details on issues (id, repo_id, is_pull, poster_id, milestone_title, created_ms, updated_ms, closed_ms, comments_count, is_locked, pin_order)",
  ],
};
