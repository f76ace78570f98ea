import type { Static } from "typebox";
import { lengths } from "../core/lengths.ts";
import { bool, choice, email, expected, field, inPlace, int, list, nullable, option, record, text, time } from "./schema.ts";

export type Visibility = "public" | "limited" | "private";

export const User = record("User", {
  id: int(),
  login: text(),
  login_name: text(),
  source_id: int(),
  full_name: text(),
  email: text(),
  avatar_url: text(),
  html_url: text(),
  language: text(),
  is_admin: bool(),
  last_login: time(),
  created: time(),
  restricted: bool(),
  active: bool(),
  prohibit_login: bool(),
  location: text(),
  website: text(),
  description: text(),
  visibility: text<Visibility>(),
  followers_count: int(),
  following_count: int(),
  starred_repos_count: int(),
  /** @compat Same as `login`, for older clients (users/api.test.ts). */
  username: text(),
});
export type User = Static<typeof User>;

/** @compat `data` comes before `ok` here and after it in the other searches (users/api.test.ts). */
export const UserSearchResults = inPlace({
  data: list(User),
  ok: bool(),
});
export type UserSearchResults = Static<typeof UserSearchResults>;

/** The issue events that send emails. */
const emailNotifications = choice<EmailNotifications>("enabled", "onmention", "andyourown", "disabled");
type EmailNotifications = "enabled" | "onmention" | "andyourown" | "disabled";

export const UserSettings = record("UserSettings", {
  full_name: text(),
  website: text(),
  description: text(),
  location: text(),
  language: text(),
  theme: text(),
  diff_view_style: text(),
  hide_email: bool(),
  hide_activity: bool(),
});
export type UserSettings = Static<typeof UserSettings>;

export const UserSettingsOptions = option("UserSettingsOptions", {
  full_name: field("FullName", nullable(text()), `MaxSize(${lengths.fullName})`),
  website: field("Website", nullable(text()), "OmitEmpty", "ValidUrl", `MaxSize(${lengths.line})`),
  description: field("Description", nullable(text()), `MaxSize(${lengths.line})`),
  location: field("Location", nullable(text()), `MaxSize(${lengths.location})`),
  language: field("Language", nullable(text(lengths.line))),
  theme: field("Theme", nullable(text(lengths.line))),
  diff_view_style: field("DiffViewStyle", nullable(text(lengths.line))),
  hide_email: field("HideEmail", nullable(bool())),
  hide_activity: field("HideActivity", nullable(bool())),
});
export type UserSettingsOptions = Static<typeof UserSettingsOptions>;

export const MailSettings = record("MailSettings", { email_notifications: emailNotifications });
export type MailSettings = Static<typeof MailSettings>;

export const MailSettingsOption = option("MailSettingsOption", {
  email_notifications: field("EmailNotifications", emailNotifications, "Required", "In(enabled,onmention,andyourown,disabled)"),
});
export type MailSettingsOption = Static<typeof MailSettingsOption>;

export const CreateUserOption = option("CreateUserOption", {
  source_id: field("SourceID", int()),
  login_name: field("LoginName", text(lengths.line)),
  username: field("Username", text(), "Required", "Username", `MaxSize(${lengths.accountName})`),
  full_name: field("FullName", text(), `MaxSize(${lengths.fullName})`),
  email: field("Email", email(), "Required", "Email", `MaxSize(${lengths.email})`),
  password: field("Password", text(), `MaxSize(${lengths.password})`),
  must_change_password: field("MustChangePassword", nullable(bool())),
  send_notify: field("SendNotify", bool()),
  restricted: field("Restricted", nullable(bool())),
  visibility: field("Visibility", text<"" | Visibility>(lengths.line), "In(,public,limited,private)"),
  created_at: field("Created", nullable(time())),
});
export type CreateUserOption = Static<typeof CreateUserOption>;

export const EditUserOption = option("EditUserOption", {
  source_id: expected("SourceID", int()),
  login_name: field("LoginName", text(lengths.line), "Required"),
  email: field("Email", nullable(email()), `MaxSize(${lengths.email})`),
  full_name: field("FullName", nullable(text()), `MaxSize(${lengths.fullName})`),
  password: field("Password", text(), `MaxSize(${lengths.password})`),
  must_change_password: field("MustChangePassword", nullable(bool())),
  website: field("Website", nullable(text()), "OmitEmpty", "ValidUrl", `MaxSize(${lengths.line})`),
  location: field("Location", nullable(text()), `MaxSize(${lengths.location})`),
  description: field("Description", nullable(text()), `MaxSize(${lengths.line})`),
  active: field("Active", nullable(bool())),
  admin: field("Admin", nullable(bool())),
  allow_git_hook: field("AllowGitHook", nullable(bool())),
  allow_import_local: field("AllowImportLocal", nullable(bool())),
  max_repo_creation: field("MaxRepoCreation", nullable(int())),
  prohibit_login: field("ProhibitLogin", nullable(bool())),
  allow_create_organization: field("AllowCreateOrganization", nullable(bool())),
  restricted: field("Restricted", nullable(bool())),
  visibility: field("Visibility", text<"" | Visibility>(lengths.line), "In(,public,limited,private)"),
});
export type EditUserOption = Static<typeof EditUserOption>;

export const RenameUserOption = option("RenameUserOption", {
  new_username: field("NewName", text(lengths.accountName), "Required"),
});
export type RenameUserOption = Static<typeof RenameUserOption>;
