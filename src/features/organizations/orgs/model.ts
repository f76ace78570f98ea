import type { Mode, Unit } from "../../../access/repository.ts";

/** An organization with everything that answers show of it. */
export interface OrganizationView {
  readonly id: number;
  readonly name: string;
  readonly fullName: string;
  readonly email: string;
  readonly avatar: string;
  readonly description: string;
  readonly website: string;
  readonly location: string;
  readonly visibility: "public" | "limited" | "private";
  readonly repoAdminChangeTeamAccess: boolean;
}

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
