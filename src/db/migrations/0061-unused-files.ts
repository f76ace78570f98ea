import type { Migration } from "./migration.ts";

/** Uploaded files that no row references. They are deleted later, so that a backup that began before has them. */
export const unusedFiles: Migration = {
  id: 61,
  name: "unused files",
  statements: [
    `create table unused_files (
      file {text} not null primary key,
      found_ms {int} not null
    ) {clustered}`,
    "create index unused_files_found on unused_files (found_ms)",
  ],
};
