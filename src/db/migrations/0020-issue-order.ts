import type { Migration } from "./migration.ts";

/** The order by the time of the last change, with what lists ask beside it: a page of it is read from the index alone. */
export const issueOrder: Migration = {
  id: 20,
  name: "order of issues",
  statements: ["drop index issues_updated", "create index issues_updated on issues (repo_id, updated_ms, id, is_closed, is_pull)"],
};
