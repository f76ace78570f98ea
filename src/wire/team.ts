import type { Static } from "typebox";
import { Organization } from "./organization.ts";
import { bool, choice, int, list, mapOf, nullable, record, text } from "./schema.ts";

export const Team = record("Team", {
  id: int(),
  name: text(),
  description: text(),
  organization: nullable(Organization),
  includes_all_repositories: bool(),
  /** `none` for a team whose rights are given per unit. */
  permission: choice("none", "read", "write", "admin", "owner"),
  units: nullable(list(text())),
  /** The right on each unit: `repo.code` to `write` and so on. */
  units_map: nullable(mapOf(text())),
  can_create_org_repo: bool(),
});
export type Team = Static<typeof Team>;
