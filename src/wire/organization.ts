import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { bool, deprecated, field, int, nullable, option, record, text, usually } from "./schema.ts";
import type { Visibility } from "./user.ts";

export const Organization = record("Organization", {
  id: int(),
  name: text(),
  full_name: text(),
  email: text(),
  avatar_url: text(),
  description: text(),
  website: text(),
  location: text(),
  visibility: text<Visibility>(),
  repo_admin_change_team_access: bool(),
  /** The same as `name`. */
  username: deprecated(text()),
});
export type Organization = Static<typeof Organization>;

export const OrganizationPermissions = record("OrganizationPermissions", {
  is_owner: bool(),
  is_admin: bool(),
  can_write: bool(),
  can_read: bool(),
  can_create_repository: bool(),
});
export type OrganizationPermissions = Static<typeof OrganizationPermissions>;

export const CreateOrgOption = option("CreateOrgOption", {
  username: field("UserName", text(), "Required", "Username", `MaxSize(${lengths.accountName})`),
  full_name: field("FullName", text(), `MaxSize(${lengths.fullName})`),
  email: field("Email", text(), `MaxSize(${lengths.line})`),
  description: field("Description", text(), `MaxSize(${lengths.line})`),
  website: field("Website", text(), "ValidUrl", `MaxSize(${lengths.line})`),
  location: field("Location", text(), `MaxSize(${lengths.location})`),
  visibility: field("Visibility", usually<"" | Visibility>("public", "limited", "private"), "In(,public,limited,private)"),
  repo_admin_change_team_access: field("RepoAdminChangeTeamAccess", bool()),
});
export type CreateOrgOption = Static<typeof CreateOrgOption>;

export const EditOrgOption = option("EditOrgOption", {
  full_name: field("FullName", nullable(text()), `MaxSize(${lengths.fullName})`),
  email: field("Email", nullable(text()), `MaxSize(${lengths.line})`),
  description: field("Description", nullable(text()), `MaxSize(${lengths.line})`),
  website: field("Website", nullable(text()), "ValidUrl", `MaxSize(${lengths.line})`),
  location: field("Location", nullable(text()), `MaxSize(${lengths.location})`),
  visibility: field("Visibility", nullable(usually<"" | Visibility>("public", "limited", "private")), "In(,public,limited,private)"),
  repo_admin_change_team_access: field("RepoAdminChangeTeamAccess", nullable(bool())),
});
export type EditOrgOption = Static<typeof EditOrgOption>;

export const RenameOrgOption = option("RenameOrgOption", {
  new_name: field("NewName", text(lengths.accountName), "Required"),
});
export type RenameOrgOption = Static<typeof RenameOrgOption>;
