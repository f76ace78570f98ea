import type { Generated } from "kysely";
import type { Millis } from "./columns.ts";

export interface ProtectionTables {
  ref_protections: RefProtectionsTable;
  ref_protection_users: RefProtectionUsersTable;
  ref_protection_teams: RefProtectionTeamsTable;
}

/** Protection rules for branches or tags that match a pattern. */
export interface RefProtectionsTable {
  id: Generated<number>;
  repo_id: number;
  kind: "branch" | "tag";
  pattern: string;
  /** If several rules match a branch, the one with the smallest priority applies. 0 for tags, where all matching rules apply. */
  priority: number;
  /** JSON of `BranchRuleSettings` (features/repositories/protections/rules.ts); `{}` for tags. */
  settings: string;
  created_ms: Millis;
  updated_ms: Millis;
}

/** The permission a list grants. `tag`: creating, updating and deleting tags. */
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
