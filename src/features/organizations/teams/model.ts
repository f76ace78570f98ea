import type { UserView } from "../../accounts/users/model.ts";
import type { OrganizationView, TeamView } from "../orgs/model.ts";

export type { TeamView } from "../orgs/model.ts";

/** A team and what is in it. */
export interface CountedTeam extends TeamView {
  readonly membersCount: number;
  /** Of those that were given to it by themselves. */
  readonly repositoriesCount: number;
}

/** Somebody in an organization. */
export interface MembershipView {
  readonly user: UserView;
  /** Everybody may know of it. */
  readonly isPublic: boolean;
  /** Undefined where the reader may not know. */
  readonly isOwner: boolean | undefined;
}

export interface TeamWithOrganization {
  readonly team: TeamView;
  readonly organization: OrganizationView;
}

/** What somebody may do in an organization, by his teams. */
export interface OrganizationRights {
  readonly isOwner: boolean;
  readonly isAdmin: boolean;
  readonly canWrite: boolean;
  readonly canRead: boolean;
  readonly canCreateRepository: boolean;
}

/** Rights as a request words them; nothing of them is checked yet. */
export interface RightsInput {
  /** `read`, `write` or `admin`; empty where it is not stated. */
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

/** Wishes for a team; what is null, or an empty name, stays as it is. */
export interface TeamEdit extends RightsInput {
  readonly name: string;
  readonly description: string | null;
  readonly includesAllRepositories: boolean | null;
  readonly canCreateRepositories: boolean | null;
}
