import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface OrganizationTables {
  organization_members: OrganizationMembersTable;
  teams: TeamsTable;
  team_members: TeamMembersTable;
  team_units: TeamUnitsTable;
  team_repositories: TeamRepositoriesTable;
  organization_invitations: OrganizationInvitationsTable;
}

/** Derived from team membership in the same transaction; stores whether the membership is public. */
export interface OrganizationMembersTable {
  org_id: number;
  account_id: number;
  is_public: Flag;
}

export type AccessMode = "none" | "read" | "write" | "admin" | "owner";

export interface TeamsTable {
  id: Generated<number>;
  org_id: number;
  name: string;
  name_folded: string;
  description: string;
  /** `owner` for the owners team, `admin`, else `none`: permissions are then per unit. */
  mode: "none" | "admin" | "owner";
  includes_all_repositories: Flag;
  can_create_org_repo: Flag;
}

export interface TeamMembersTable {
  team_id: number;
  account_id: number;
  org_id: number;
}

export interface TeamUnitsTable {
  team_id: number;
  /** `repo.code` and so on. */
  unit: string;
  mode: AccessMode;
}

export interface TeamRepositoriesTable {
  team_id: number;
  repo_id: number;
}

/** Invitations to teams, sent by email. */
export interface OrganizationInvitationsTable {
  id: Generated<number>;
  org_id: number;
  team_id: number;
  inviter_id: number;
  /** As typed. */
  email: string;
  folded: string;
  /** SHA-256, as hex, of the code in the emailed link. */
  code_hash: string;
  sent_ms: Millis;
  expires_ms: Millis;
}
