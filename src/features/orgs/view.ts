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
