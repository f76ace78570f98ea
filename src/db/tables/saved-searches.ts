import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface SavedSearchTables {
  saved_searches: SavedSearchesTable;
}

/** Queries of the lists across repositories that a user keeps under a name. */
export interface SavedSearchesTable {
  id: Generated<number>;
  account_id: number;
  kind: "issues" | "pulls";
  name: string;
  query: string;
  updated_ms: Millis;
}
