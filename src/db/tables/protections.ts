import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface ProtectionTables {
  ref_protections: RefProtectionsTable;
  ref_protection_users: RefProtectionUsersTable;
  ref_protection_teams: RefProtectionTeamsTable;
}

/** Rules for branches or tags whose names fit a pattern. */
export interface RefProtectionsTable {
  id: Generated<number>;
  repo_id: number;
  kind: "branch" | "tag";
  pattern: string;
  /** Of rules for the same branch the one with the smallest counts. 0 for tags, where all that fit count. */
  priority: number;
  /** JSON of `BranchRuleSettings` (features/repositories/protections/rules.ts); `{}` for tags. */
  settings: string;
  created_ms: Millis;
  updated_ms: Millis;
}

/** What somebody is listed for. `tag`: making, moving and deleting tags. */
export type ProtectionList = "push" | "force_push" | "merge" | "approve" | "tag";

export interface RefProtectionUsersTable {
  protection_id: number;
  list: ProtectionList;
  account_id: number;
}

export interface RefProtectionTeamsTable {
  protection_id: number;
  list: ProtectionList;
  team_id: number;
}
