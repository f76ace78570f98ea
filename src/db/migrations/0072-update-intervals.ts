import type { Migration } from "./migration.ts";

/** Exact times of changes outside of indexes, so that a change of an issue on PostgreSQL leaves its indexes as they are. */
export const updateIntervals: Migration = {
  id: 72,
  name: "intervals of updates",
  statements: [
    "alter table issues add column changed_ms {int} not null default 0",
    // SQLite compares rows with this index alone. PostgreSQL reads the rows, because the index has the number of comments.
    { sqlite: null, postgres: "drop index issues_details" },
    // Space in each page for the new version of a row. Without it, the version is in another page, and all indexes get an entry.
    { sqlite: null, postgres: "alter table issues set (fillfactor = 85)" },
  ],
};
