import type { Migration } from "./migration.ts";

/** The visibility that the form for new repositories preselects, as the user's setting. */
export const newRepositories: Migration = {
  id: 62,
  name: "new repositories",
  statements: ["alter table accounts add column new_repositories_private {int} not null default 0"],
};
