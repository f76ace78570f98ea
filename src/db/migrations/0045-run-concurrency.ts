import type { Migration } from "./migration.ts";

/** Whether a run cancels the others of its concurrency group, for runs that run again. */
export const runConcurrency: Migration = {
  id: 45,
  name: "run concurrency",
  statements: ["alter table action_runs add column cancels_in_progress {int} not null default 0"],
};
