import type { Migration } from "./migration.ts";

/** Programs of this schema and later run with a newer schema unless a migration excludes them, so that nodes are upgraded one at a time. */
export const oldestPrograms: Migration = {
  id: 50,
  name: "programs that a schema supports",
  statements: ["alter table migrations add column oldest_program {int} not null default 0"],
};
