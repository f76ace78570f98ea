import type { Migration } from "./migration.ts";

/** Why a delivery or a synchronization failed, for pages in the reader's language. Empty for failures recorded before. */
export const failureReasons: Migration = {
  id: 63,
  name: "failure reasons",
  statements: [
    "alter table hook_deliveries add column failure {text} not null default ''",
    "alter table pull_mirrors add column failure {text} not null default ''",
    "alter table push_mirrors add column failure {text} not null default ''",
  ],
};
