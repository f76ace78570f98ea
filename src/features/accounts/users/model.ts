/** Who sees an account: everybody, whoever has signed in, itself and administrators (members, for an organization). */
export type Visibility = "public" | "limited" | "private";

/** A user or organization with everything that answers show of it. */
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

/** What a user sees who has chosen no theme. @compat clients know it by this name */
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
  readonly emailNotifications: EmailNotifications;
}

/** Which news of issues reach a user by mail: those of all that he follows, what names him or is given to him, his own doings too, none. */
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
  /** Full names of the repositories that it is limited to, as far as the viewer can read them. Null: no limit. */
  readonly repositories: readonly string[] | null;
}

/** Where an account's password is kept: on this server, in a directory, or nowhere: its owner comes in by a provider of identities alone. */
export type PasswordKeeper = "here" | "directory" | "nobody";

/** A user's second factor. */
export interface TwoFactorView {
  /** Since when codes are asked for. Null: they are not. */
  readonly confirmedMs: number | null;
  /** How many recovery codes are left. */
  readonly recoveryCodes: number;
}

/** An address of a user. */
export interface EmailView {
  readonly email: string;
  readonly isPrimary: boolean;
  readonly isVerified: boolean;
  readonly accountId: number;
  readonly accountName: string;
}

/** A user to be made by an administrator. */
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

/** Changes to a user by an administrator. What is null stays as it is. */
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

/** Changes to a user's own settings. What is null stays as it is. */
export type SettingsChanges = { readonly [Name in keyof UserSettingsView]: UserSettingsView[Name] | null };

/** What is loaded but for the accounts that it names: those of several such things are loaded with one statement. */
export interface LacksAccounts<T> {
  readonly accountIds: readonly number[];
  complete(accounts: ReadonlyMap<number, UserView>): T;
}

/** What an authenticator app is given: the secret, and the same as a link or picture says it. */
export interface TotpSecret {
  readonly secret: string;
  readonly uri: string;
}
