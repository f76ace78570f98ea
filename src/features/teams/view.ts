import type { Mode, Unit } from "../../access/repository.ts";
import type { OrganizationView } from "../orgs/view.ts";

/** A team with everything that answers show of it, but its organization. */
export interface TeamView {
  readonly id: number;
  readonly orgId: number;
  readonly name: string;
  readonly description: string;
  /** `owner` and `admin` hold for every unit; `none`: rights are those of {@link units}. */
  readonly mode: "none" | "admin" | "owner";
  readonly units: ReadonlyMap<Unit, Mode>;
  readonly includesAllRepositories: boolean;
  readonly canCreateRepositories: boolean;
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
