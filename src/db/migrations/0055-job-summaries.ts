import type { Migration } from "./migration.ts";

/** Texts that the steps of jobs write for readers of their run. */
export const jobSummaries: Migration = {
  id: 55,
  name: "job summaries",
  statements: [
    `create table action_summaries (
      task_id {int} not null references action_tasks (id) on delete cascade,
      step {int} not null,
      content {text} not null,
      size_bytes {int} not null,
      updated_ms {int} not null,
      primary key (task_id, step)
    ) {clustered}`,
    "create index action_summaries_age on action_summaries (updated_ms)",
  ],
};
