import type { Migration } from "./migration.ts";

/** Totals for one account add the private repositories that it owns or shares, without reading the public ones. */
export const ownedRepositories: Migration = {
  id: 48,
  name: "owned repositories by audience",
  statements: ["create index repositories_owned on repositories (owner_id, audience, id)"],
};
