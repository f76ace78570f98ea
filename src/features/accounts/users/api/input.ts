import { invalid } from "../../../../core/errors.ts";
import { parseTime } from "../../../../core/time.ts";
import type { CreateAccessTokenOption } from "../../../../wire/token.ts";
import type { CreateUserOption, EditUserOption, MailSettingsOption, UserSettingsOptions } from "../../../../wire/user.ts";
import type { SettingsChanges, UserChanges, UserInput } from "../model.ts";
import type { NewTokenInput } from "../service/tokens.ts";

export const readUser = (option: CreateUserOption): UserInput => ({
  name: option.username,
  email: option.email,
  fullName: option.full_name,
  password: option.password,
  loginName: option.login_name,
  sourceId: option.source_id,
  isRestricted: option.restricted ?? false,
  mustChangePassword: option.must_change_password ?? true,
  visibility: option.visibility === "" ? "public" : option.visibility,
  createdMs: (option.created_at === null ? undefined : parseTime(option.created_at)) ?? null,
});

export const readUserChanges = (option: EditUserOption): UserChanges => ({
  loginName: option.login_name,
  sourceId: option.source_id,
  email: option.email,
  fullName: option.full_name,
  password: option.password === "" ? null : option.password,
  website: option.website,
  location: option.location,
  description: option.description,
  visibility: option.visibility === "" ? null : option.visibility,
  isActive: option.active,
  isAdmin: option.admin,
  isRestricted: option.restricted,
  prohibitLogin: option.prohibit_login,
  mustChangePassword: option.must_change_password,
  allowCreateOrganization: option.allow_create_organization,
  maxRepoCreation: option.max_repo_creation,
});

export const readSettings = (option: UserSettingsOptions): SettingsChanges => ({
  fullName: option.full_name,
  website: option.website,
  description: option.description,
  location: option.location,
  language: option.language,
  theme: option.theme,
  diffViewStyle: option.diff_view_style,
  hideEmail: option.hide_email,
  hideActivity: option.hide_activity,
  newRepositoriesPrivate: null,
  emailNotifications: null,
});

/** Null fields stay unchanged. */
const noChanges: SettingsChanges = {
  fullName: null,
  website: null,
  description: null,
  location: null,
  language: null,
  theme: null,
  diffViewStyle: null,
  hideEmail: null,
  hideActivity: null,
  newRepositoriesPrivate: null,
  emailNotifications: null,
};

export const readMailSettings = (option: MailSettingsOption): SettingsChanges => ({ ...noChanges, emailNotifications: option.email_notifications });

export const readToken = (option: CreateAccessTokenOption): NewTokenInput => ({
  name: option.name,
  scopes: option.scopes ?? [],
  expiresMs: (option.expires_at === null ? undefined : parseTime(option.expires_at)) ?? null,
  repositories: option.repositories?.map(readRepositoryName) ?? null,
});

function readRepositoryName(value: unknown): string {
  if (typeof value === "string" || Number.isSafeInteger(value)) return String(value);
  throw invalid("[]: repositories must be a list of full names and ids");
}
