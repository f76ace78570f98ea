import type { Visibility } from "../../wire/user.ts";

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
}

export interface TokenView {
  readonly id: number;
  readonly name: string;
  readonly lastEight: string;
  readonly scopes: readonly string[];
  readonly createdMs: number;
  readonly lastUsedMs: number;
}
