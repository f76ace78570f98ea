import type { Migration } from "./migration.ts";

export const labels: Migration = {
  id: 7,
  name: "labels and milestones",
  statements: [
    // A label is a repository's or an organization's. Two may bear the same name.
    `create table labels (
      id {id},
      repo_id {int} references repositories (id) on delete cascade,
      org_id {int} references accounts (id) on delete cascade,
      name {text} not null,
      color {text} not null,
      description {text} not null,
      is_exclusive {int} not null,
      is_archived {int} not null,
      created_ms {int} not null,
      updated_ms {int} not null,
      check ((repo_id is null) <> (org_id is null))
    ) {table}`,
    "create index labels_repo on labels (repo_id, name, id) where repo_id is not null",
    "create index labels_org on labels (org_id, name, id) where org_id is not null",

    `create table milestones (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      title {text} not null,
      title_folded {text} not null,
      description {text} not null,
      is_closed {int} not null,
      due_ms {int},
      closed_ms {int},
      open_issues_count {int} not null default 0,
      closed_issues_count {int} not null default 0,
      created_ms {int} not null,
      updated_ms {int} not null
    ) {table}`,
    // Those without a date come first, on both databases.
    "create index milestones_due on milestones (repo_id, (coalesce(due_ms, 0)), title, id)",
    "create index milestones_title on milestones (repo_id, title, id)",
  ],
};
