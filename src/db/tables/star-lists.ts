import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface StarListTables {
  star_lists: StarListsTable;
  star_list_repositories: StarListRepositoriesTable;
}

/** Lists of the repositories that a user has starred. */
export interface StarListsTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  description: string;
  is_private: Flag;
  updated_ms: Millis;
}

/** Rows remain when a star is removed: lists show starred repositories only. */
export interface StarListRepositoriesTable {
  list_id: number;
  repo_id: number;
  added_ms: Millis;
}
