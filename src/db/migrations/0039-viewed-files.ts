import type { Migration } from "./migration.ts";

export const viewedFiles: Migration = {
  id: 39,
  name: "files of pull requests that somebody has looked at",
  statements: [
    `create table viewed_files (
      account_id {int} not null references accounts (id) on delete cascade,
      issue_id {int} not null references issues (id) on delete cascade,
      file_key {text} not null,
      primary key (account_id, issue_id, file_key)
    ) {table}`,
    "create index viewed_files_issue on viewed_files (issue_id)",
  ],
};
