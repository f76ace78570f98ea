import type { Migration } from "./migration.ts";

/** Objects that a collection has removed from a store are kept for a while, in case a ref was pointed to them meanwhile. */
export const setAside: Migration = {
  id: 25,
  name: "objects set aside by a collection",
  statements: ["alter table git_stores add column set_aside_ms {int}"],
};
