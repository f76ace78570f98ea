import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { Organization } from "./organization.ts";
import { bool, choice, expected, field, inPlace, int, list, mapOf, nullable, option, record, text, usually } from "./schema.ts";

export const Team = record("Team", {
  id: int(),
  name: text(),
  description: text(),
  organization: nullable(Organization),
  includes_all_repositories: bool(),
  /** `none` for a team with permissions per unit. */
  permission: choice("none", "read", "write", "admin", "owner"),
  units: nullable(list(text())),
  /** Permission per unit, such as `repo.code` to `write`. */
  units_map: nullable(mapOf(text())),
  can_create_org_repo: bool(),
});
export type Team = Static<typeof Team>;

/** The response of the team search. */
export const TeamSearchResults = inPlace({ ok: bool(), data: list(Team) });
export type TeamSearchResults = Static<typeof TeamSearchResults>;

const rights = {
  permission: field("Permission", usually("read", "write", "admin")),
  units: field("Units", nullable(list(text(lengths.line), counts.few))),
  units_map: field("UnitsMap", nullable(mapOf(text(lengths.line), counts.few))),
};

export const CreateTeamOption = option("CreateTeamOption", {
  name: field("Name", text(), "Required", "AlphaDashDot", `MaxSize(${lengths.line})`),
  description: field("Description", text(), `MaxSize(${lengths.line})`),
  includes_all_repositories: field("IncludesAllRepositories", bool()),
  ...rights,
  can_create_org_repo: field("CanCreateOrgRepo", bool()),
});
export type CreateTeamOption = Static<typeof CreateTeamOption>;

export const EditTeamOption = option("EditTeamOption", {
  name: expected("Name", text(), "AlphaDashDot", `MaxSize(${lengths.line})`),
  description: field("Description", nullable(text()), `MaxSize(${lengths.line})`),
  includes_all_repositories: field("IncludesAllRepositories", nullable(bool())),
  ...rights,
  can_create_org_repo: field("CanCreateOrgRepo", nullable(bool())),
});
export type EditTeamOption = Static<typeof EditTeamOption>;
