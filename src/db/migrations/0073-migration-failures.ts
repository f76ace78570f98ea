import type { Migration } from "./migration.ts";

/** Why the migration of a repository failed, for pages in the reader's language. Empty for failures recorded before. */
export const migrationFailures: Migration = {
  id: 73,
  name: "reasons of failed repository migrations",
  statements: [
    "alter table repo_migrations add column failure {text} not null default ''",
    "alter table repo_migrations add column failure_values {text} not null default ''",
  ],
};
