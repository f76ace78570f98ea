import type { Migration } from "./migration.ts";

/** Names that say what the rows contain. Both databases rename in the catalogue, without rewriting a table. */
export const names: Migration = {
  id: 30,
  name: "names of tables and columns",
  statements: [
    "alter table account_codes rename to email_codes",
    "alter table pull_checks rename to pull_merge_checks",
    "alter table comments rename column facts to payload",
    "alter table gpg_keys rename column made_ms to key_created_ms",
    "alter table hooks rename column failure_told_ms to failure_notified_ms",
    "alter table issue_assignees rename column place to position",
    "alter table repo_migrations rename column wish to sealed_input",
    "alter table repository_transfers rename column lets_read to adds_collaborator",
    "alter table sign_in_throttles rename column forgotten_ms to expires_ms",
  ],
};
