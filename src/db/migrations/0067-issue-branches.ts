import type { Migration } from "./migration.ts";

/** Branches that were created for issues. */
export const issueBranches: Migration = {
  id: 67,
  name: "issue branches",
  statements: [
    `create table issue_branches (
      issue_id {int} not null references issues (id) on delete cascade,
      branch {text} not null,
      repo_id {int} not null references repositories (id) on delete cascade,
      created_ms {int} not null,
      primary key (issue_id, branch)
    ) {clustered}`,
    "create index issue_branches_branch on issue_branches (repo_id, branch)",
  ],
};
