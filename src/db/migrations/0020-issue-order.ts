import type { Migration } from "./migration.ts";

/** Index in the order of the last update with the columns that lists filter by, so that a page is read from the index alone. */
export const issueOrder: Migration = {
  id: 20,
  name: "order of issues",
  statements: ["drop index issues_updated", "create index issues_updated on issues (repo_id, updated_ms, id, is_closed, is_pull)"],
};
