import type { Migration } from "./migration.ts";

/** Why issues were closed. */
export const closeReasons: Migration = {
  id: 35,
  name: "reasons of closed issues",
  statements: ["alter table issues add column close_reason {text} not null default ''"],
};
