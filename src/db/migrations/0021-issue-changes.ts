import type { Migration } from "./migration.ts";

/** Updates of all repositories in one order, for lists of more repositories than can be read one by one. */
export const issueChanges: Migration = {
  id: 21,
  name: "changes of issues",
  statements: ["create index issues_changed on issues (updated_ms, id, repo_id, is_closed, is_pull)"],
};
