/** Audience of an account: everyone, signed-in users, or only the account itself and administrators (members, for an organization). */
export type Visibility = "public" | "limited" | "private";

/** A user or organization with all data for API responses. */
export interface UserView {
  readonly id: number;
  readonly kind: "user" | "organization";
  readonly name: string;
  readonly fullName: string;
  readonly email: string;
  readonly hideEmail: boolean;
  readonly avatar: string;
  readonly description: string;
  readonly website: string;
  readonly location: string;
  readonly language: string;
  readonly visibility: Visibility;
  readonly isAdmin: boolean;
  readonly isActive: boolean;
  readonly isRestricted: boolean;
  readonly prohibitLogin: boolean;
  readonly loginName: string;
  readonly sourceId: number;
  readonly createdMs: number;
  readonly lastLoginMs: number;
  readonly followersCount: number;
  readonly followingCount: number;
  readonly starsCount: number;
}

/** The theme of users who have chosen none. @compat clients know it by this name (users/api.test.ts) */
export const defaultTheme = "gitea-auto";

/** A user's own settings. */
export interface UserSettingsView {
  readonly fullName: string;
  readonly website: string;
  readonly description: string;
  readonly location: string;
  readonly language: string;
  readonly theme: string;
  readonly diffViewStyle: string;
  readonly hideEmail: boolean;
  readonly hideActivity: boolean;
  /** The form for new repositories preselects private. */
  readonly newRepositoriesPrivate: boolean;
  readonly emailNotifications: EmailNotifications;
}

/** Which issue events a user gets email for: all of followed issues, only mentions and assignments, also their own actions, or none. */
export type EmailNotifications = "enabled" | "onmention" | "andyourown" | "disabled";

export interface TokenView {
  readonly id: number;
  readonly name: string;
  readonly lastEight: string;
  readonly scopes: readonly string[];
  readonly createdMs: number;
  readonly lastUsedMs: number;
  /** Null: never. */
  readonly expiresMs: number | null;
  /** Full names of the repositories to which it is limited, as far as the viewer can read them. Null: no limit. */
  readonly repositories: readonly string[] | null;
}

/** Where an account's password is stored: on this server, in a directory, or nowhere, if the user signs in only through an identity provider. */
export type PasswordKeeper = "here" | "directory" | "none";

/** A user's second factor. */
export interface TwoFactorView {
  /** When it was confirmed; null: not in effect. */
  readonly confirmedMs: number | null;
  /** The number of unused recovery codes. */
  readonly recoveryCodes: number;
}

export interface EmailView {
  readonly email: string;
  readonly isPrimary: boolean;
  readonly isVerified: boolean;
  readonly accountId: number;
  readonly accountName: string;
}

/** Input for a user created by an administrator. */
export interface UserInput {
  readonly name: string;
  readonly email: string;
  readonly fullName: string;
  readonly password: string;
  readonly loginName: string;
  readonly sourceId: number;
  readonly isRestricted: boolean;
  readonly mustChangePassword: boolean;
  readonly visibility: Visibility;
  /** Null: now. */
  readonly createdMs: number | null;
}

/** An administrator's changes to a user; null fields stay unchanged. */
export interface UserChanges {
  readonly loginName: string;
  readonly sourceId: number;
  readonly email: string | null;
  readonly fullName: string | null;
  readonly password: string | null;
  readonly website: string | null;
  readonly location: string | null;
  readonly description: string | null;
  readonly visibility: Visibility | null;
  readonly isActive: boolean | null;
  readonly isAdmin: boolean | null;
  readonly isRestricted: boolean | null;
  readonly prohibitLogin: boolean | null;
  readonly mustChangePassword: boolean | null;
  readonly allowCreateOrganization: boolean | null;
  readonly maxRepoCreation: number | null;
}

/** A user's changes to their own settings; null fields stay unchanged. */
export type SettingsChanges = { readonly [Name in keyof UserSettingsView]: UserSettingsView[Name] | null };

/** A view without the accounts that it references, so that the accounts of several views are loaded in one statement. */
export interface LacksAccounts<T> {
  readonly accountIds: readonly number[];
  complete(accounts: ReadonlyMap<number, UserView>): T;
}

/** Data for an authenticator app: the secret, and the same as a link for a QR code. */
export interface TotpSecret {
  readonly secret: string;
  readonly uri: string;
}
