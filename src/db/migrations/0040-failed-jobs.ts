import type { Migration } from "./migration.ts";

export const failedJobs: Migration = {
  id: 40,
  name: "the list of jobs that have failed for good",
  statements: ["create index jobs_failed on jobs (id) where state = 'failed'"],
};
