import type { Migration } from "./migration.ts";

/** The order of the issues of a milestone. */
export const milestonePositions: Migration = {
  id: 53,
  name: "milestone positions",
  statements: [
    `create table milestone_positions (
      issue_id {int} primary key references issues (id) on delete cascade,
      milestone_id {int} not null references milestones (id) on delete cascade,
      position {int} not null
    ) {table}`,
    "create index milestone_positions_milestone on milestone_positions (milestone_id, position)",
  ],
};
