import type { Migration } from "./migration.ts";

/** Numbers of deleted runs are in links and statuses, so they are not given to other runs. */
export const deletedRunNumbers: Migration = {
  id: 75,
  name: "numbers of deleted runs",
  statements: ["alter table repositories add column deleted_run_number {int} not null default 0"],
};
