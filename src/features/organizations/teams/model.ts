import type { UserView } from "../../accounts/users/model.ts";
import type { OrganizationView, TeamView } from "../orgs/model.ts";

export type { TeamView } from "../orgs/model.ts";

/** A team with counts of its members and repositories. */
export interface CountedTeam extends TeamView {
  readonly membersCount: number;
  /** Counts repositories added to the team individually. */
  readonly repositoriesCount: number;
}

/** A member of an organization. */
export interface MembershipView {
  readonly user: UserView;
  /** Visible to everyone. */
  readonly isPublic: boolean;
  /** Undefined if the viewer may not know. */
  readonly isOwner: boolean | undefined;
  /** Whether the user has enabled two-factor authentication; undefined if the viewer is not an owner. */
  readonly hasTwoFactor: boolean | undefined;
}

export interface TeamWithOrganization {
  readonly team: TeamView;
  readonly organization: OrganizationView;
}

/** A user's rights in an organization, through their teams. */
export interface OrganizationRights {
  readonly isOwner: boolean;
  readonly isAdmin: boolean;
  readonly canWrite: boolean;
  readonly canRead: boolean;
  readonly canCreateRepository: boolean;
}

/** The rights in a request, not validated yet. */
export interface RightsInput {
  /** `read`, `write` or `admin`; empty if omitted. */
  readonly permission: string;
  readonly units: readonly string[] | null;
  /** Mode by unit. */
  readonly unitsMap: Readonly<Record<string, string>> | null;
}

export interface NewTeamInput extends RightsInput {
  readonly name: string;
  readonly description: string;
  readonly includesAllRepositories: boolean;
  readonly canCreateRepositories: boolean;
}

/** Changes to a team; null fields and an empty name stay unchanged. */
export interface TeamEdit extends RightsInput {
  readonly name: string;
  readonly description: string | null;
  readonly includesAllRepositories: boolean | null;
  readonly canCreateRepositories: boolean | null;
}
