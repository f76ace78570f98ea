import type { Mode, Unit } from "../../../access/repository.ts";

/** An organization with all data for API responses. */
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

/** A team with all data for API responses, without its organization. */
export interface TeamView {
  readonly id: number;
  readonly orgId: number;
  readonly name: string;
  readonly description: string;
  /** `owner` and `admin` apply to every unit; `none` uses the rights in {@link units}. */
  readonly mode: "none" | "admin" | "owner";
  readonly units: ReadonlyMap<Unit, Mode>;
  readonly includesAllRepositories: boolean;
  readonly canCreateRepositories: boolean;
}
