import type { Migration } from "./migration.ts";

/** A random number for each version of a store's refs, because a restored database may reach the same version again with other refs. */
export const refTokens: Migration = {
  id: 39,
  name: "tokens of refs",
  statements: ["alter table git_stores add column refs_token {int} not null default 0", "alter table ref_moves add column token {int} not null default 0"],
};
