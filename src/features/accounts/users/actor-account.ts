import type { Credential, UserActor } from "../../../access/actor.ts";

/** The account that a credential acts for, and whether it may be used. */
export interface ActorAccount {
  readonly id: number;
  readonly name: string;
  readonly fullName: string;
  readonly email: string;
  readonly hideEmail: boolean;
  readonly isAdmin: boolean;
  readonly isRestricted: boolean;
  readonly isActive: boolean;
  readonly prohibitLogin: boolean;
  readonly mustChangePassword: boolean;
}

/** The columns of an {@link ActorAccount}, for each store that finds a credential. */
export const actorColumns = [
  "accounts.id as account_id",
  "accounts.name",
  "accounts.full_name",
  "accounts.email",
  "accounts.hide_email",
  "accounts.is_admin",
  "accounts.is_restricted",
  "accounts.is_active",
  "accounts.prohibit_login",
  "accounts.must_change_password",
] as const;

/** A row with {@link actorColumns}. */
export interface ActorRow {
  readonly account_id: number;
  readonly name: string;
  readonly full_name: string;
  readonly email: string;
  readonly hide_email: number;
  readonly is_admin: number;
  readonly is_restricted: number;
  readonly is_active: number;
  readonly prohibit_login: number;
  readonly must_change_password: number;
}

export const toActorAccount = (row: ActorRow): ActorAccount => ({
  id: row.account_id,
  name: row.name,
  fullName: row.full_name,
  email: row.email,
  hideEmail: row.hide_email === 1,
  isAdmin: row.is_admin === 1,
  isRestricted: row.is_restricted === 1,
  isActive: row.is_active === 1,
  prohibitLogin: row.prohibit_login === 1,
  mustChangePassword: row.must_change_password === 1,
});

/** Whether the account is active, and not prohibited from signing in. */
export const maySignIn = ({ isActive, prohibitLogin }: Pick<ActorAccount, "isActive" | "prohibitLogin">): boolean => isActive && !prohibitLogin;

/** An account as the caller of a request. The caller of this function has checked that it may be used. */
export const toActor = (account: Omit<ActorAccount, "isActive" | "prohibitLogin" | "mustChangePassword">, credential: Credential): UserActor => ({
  kind: "user",
  id: account.id,
  name: account.name,
  fullName: account.fullName,
  email: account.email,
  hideEmail: account.hideEmail,
  isAdmin: account.isAdmin,
  isRestricted: account.isRestricted,
  credential,
});
