import type { Migration } from "./migration.ts";

/** Former numbers of issues that were transferred to another repository. */
export const issueRedirects: Migration = {
  id: 47,
  name: "redirects of transferred issues",
  statements: [
    `create table issue_redirects (
      repo_id {int} not null references repositories (id) on delete cascade,
      number {int} not null,
      issue_id {int} not null references issues (id) on delete cascade,
      primary key (repo_id, number)
    ) {clustered}`,
    "create index issue_redirects_issue on issue_redirects (issue_id)",
  ],
};
