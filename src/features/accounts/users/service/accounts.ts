import { type Actor, isSelf, isSiteAdmin, isUser, type UserActor } from "../../../../access/actor.ts";
import type { AccountSubject, Found } from "../../../../access/subjects.ts";
import { changesBetween } from "../../../../core/changes.ts";
import type { Clock } from "../../../../core/clock.ts";
import { invalid, malformed, notFound } from "../../../../core/errors.ts";
import { checkLength, lengths } from "../../../../core/lengths.ts";
import { foldEmail, foldName, isValidEmail, isValidUsername, reservedAccountName } from "../../../../core/names.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import { isUniqueViolation } from "../../../../db/errors.ts";
import { type Author, recordEvent } from "../../../../events/events.ts";
import type { UserChanges, UserInput, UserView, Visibility } from "../model.ts";
import { hashPassword, maxPasswordLength, minPasswordLength } from "../passwords.ts";
import {
  countAdmins,
  deleteAccount,
  findAccountByName,
  findRedirect,
  forgetCredentials,
  hasUsers,
  insertAccount,
  insertPrimaryEmail,
  isMember,
  loadEditable,
  loadPossessions,
  loadUserViews,
  renameAccount,
  replacePrimaryEmail,
  updateAccount,
} from "../store/accounts.ts";
import { deleteFollowsOf } from "../store/follows.ts";
import { findSourceKind } from "../store/sourced-accounts.ts";

export interface AccountDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Whether a caller can see an account: private ones only themselves and administrators, limited ones all signed-in users. */
export const isVisibleTo = (account: { readonly id: number; readonly visibility: Visibility }, actor: Actor): boolean =>
  account.visibility === "public" || isSelf(actor, account.id) || isSiteAdmin(actor) || (account.visibility === "limited" && isUser(actor));

/** An account by its current or a previous name. @throws ForgeError `not_found` if the caller can see none */
export async function findAccount(deps: { readonly db: Reader }, name: string, actor: Actor): Promise<Found<AccountSubject>> {
  const account = await findAccountByName(deps.db, name);
  if (account !== undefined && (await showsItself(deps, account, actor))) return { subject: account };
  const movedTo = await findRedirect(deps.db, name);
  const moved = movedTo === undefined ? undefined : await findAccountByName(deps.db, movedTo);
  // A redirect would reveal that a hidden account exists, and its current name. A hidden account gets the same response as a missing
  // one.
  if (moved !== undefined && (await showsItself(deps, moved, actor))) return { movedTo: moved.name, isAccountRenamed: true };
  throw notFound(`user redirect does not exist [name: ${name}]`, { reason: "user_not_found" });
}

/** For a second name in the request: previous names are resolved too. */
export async function findNamedAccount(deps: { readonly db: Reader }, name: string, actor: Actor): Promise<AccountSubject> {
  const found = await findAccount(deps, name, actor);
  return "subject" in found ? found.subject : findNamedAccount(deps, found.movedTo, actor);
}

async function showsItself(deps: { readonly db: Reader }, account: UserView, actor: Actor): Promise<boolean> {
  if (isVisibleTo(account, actor)) return true;
  return account.kind === "organization" && isUser(actor) && isMember(deps.db, account.id, actor.id);
}

/** A user or organization by current name, without a visibility check. */
export const findAccountView = (deps: { readonly db: Reader }, name: string): Promise<UserView | undefined> => findAccountByName(deps.db, name);

/** The current name of an account that once had this name. */
export const findFormerName = (deps: { readonly db: Reader }, name: string): Promise<string | undefined> => findRedirect(deps.db, name);

/** False on a server without users. */
export const hasAnyUser = (db: Reader): Promise<boolean> => hasUsers(db);

/** A user, not an organization, by current name. */
export async function findUserByName(deps: { readonly db: Reader }, name: string): Promise<UserView | undefined> {
  const account = await findAccountByName(deps.db, name);
  return account?.kind === "user" ? account : undefined;
}

/** Sets an account's password and invalidates cached verifications of the previous one. */
export async function setPassword(tx: Tx, by: Author, user: Pick<UserView, "id" | "name">, passwordHash: string): Promise<void> {
  await updateAccount(tx, user.id, { password_hash: passwordHash, must_change_password: 0 });
  await forgetCredentials(tx, user.id);
  await recordEvent(tx, "password.changed", { accountId: user.id, name: user.name, kind: "user" }, { by });
}

export async function getUser(deps: { readonly db: Reader }, id: number): Promise<UserView> {
  const user = (await loadUserViews(deps.db, [id])).get(id);
  if (user === undefined) throw notFound();
  return user;
}

/** Users and organizations by id. One statement for any number. */
export const loadUsers = (deps: { readonly db: Reader }, ids: readonly number[]): Promise<ReadonlyMap<number, UserView>> => loadUserViews(deps.db, ids);

/** The same in the order of `ids`; missing ones are omitted. */
export async function loadUsersInOrder(deps: { readonly db: Reader }, ids: readonly number[]): Promise<UserView[]> {
  const users = await loadUserViews(deps.db, ids);
  return ids.flatMap((id) => users.get(id) ?? []);
}

/** Validates the name of a user or organization. @throws ForgeError `invalid` with Gitea's message */
export function checkAccountName(name: string): void {
  checkLength("", name, lengths.accountName);
  const reserved = reservedAccountName(name);
  if (reserved !== undefined) throw invalid(reserved, { reason: "name_reserved" });
  if (!isValidUsername(name))
    throw invalid(`name is invalid [${name}]: must be valid alpha or numeric or dash(-_) or dot characters`, {
      reason: name === "" ? "required" : "invalid_username",
    });
}

/** Turns a unique violation of a name or address into Gitea's message. */
export function nameInUse(error: unknown, name: string, email: string): unknown {
  if (isUniqueViolation(error, "accounts.name_folded")) return invalid(`user already exists [name: ${name}]`, { reason: "name_taken" });
  if (isUniqueViolation(error, "account_emails.folded")) return invalid(`e-mail already in use [email: ${email}]`, { reason: "email_taken", field: "email" });
  return error;
}

export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly fullName: string;
  /** Empty: the account cannot sign in with a password. */
  readonly passwordHash: string;
  readonly isAdmin: boolean;
  readonly isRestricted: boolean;
  readonly mustChangePassword: boolean;
  readonly visibility: Visibility;
  readonly loginName: string;
  /** Undefined: the password is stored here. */
  readonly sourceId?: number;
  readonly createdMs: number;
}

/** Creates a user inside a transaction: account, address, event. Throws the database's unique violations. */
export async function insertUser(tx: Tx, user: NewUser, by: Author | null): Promise<number> {
  checkLength("LoginName", user.loginName, lengths.line);
  const id = await insertAccount(tx, {
    kind: "user",
    name: user.name,
    full_name: user.fullName,
    email: user.email,
    description: "",
    website: "",
    location: "",
    language: "",
    visibility: user.visibility,
    password_hash: user.passwordHash,
    is_admin: user.isAdmin ? 1 : 0,
    is_restricted: user.isRestricted ? 1 : 0,
    must_change_password: user.mustChangePassword ? 1 : 0,
    login_name: user.loginName,
    source_id: user.sourceId ?? 0,
    created_ms: user.createdMs,
  });
  await insertPrimaryEmail(tx, id, user.email);
  await recordEvent(tx, "account.created", { accountId: id, name: user.name, kind: "user", ...(user.isAdmin && { isAdmin: true }) }, { by });
  return id;
}

export interface NewOrganization {
  readonly name: string;
  readonly fullName: string;
  readonly email: string;
  readonly description: string;
  readonly website: string;
  readonly location: string;
  readonly visibility: Visibility;
}

/** Creates an organization's account inside a transaction. Throws the database's unique violations. */
export async function insertOrganizationAccount(tx: Tx, organization: NewOrganization, by: Author | null): Promise<number> {
  const id = await insertAccount(tx, {
    kind: "organization",
    name: organization.name,
    full_name: organization.fullName,
    email: organization.email,
    description: organization.description,
    website: organization.website,
    location: organization.location,
    language: "",
    visibility: organization.visibility,
    password_hash: "",
    is_admin: 0,
    is_restricted: 0,
    must_change_password: 0,
    login_name: "",
    source_id: 0,
    created_ms: tx.nowMs,
  });
  await recordEvent(tx, "account.created", { accountId: id, name: organization.name, kind: "organization" }, { by });
  return id;
}

/**
 * Checks the password of a new user. @compat A missing one is not a validation error of the field: clients match this status and message
 * (users/api.test.ts). @throws ForgeError `malformed`
 */
export function checkFirstPassword(password: string): void {
  if (password.length < minPasswordLength)
    throw malformed("PasswordIsRequired", { reason: { code: "password_too_short", min: minPasswordLength }, field: "password" });
}

/** Creates a user as an administrator. Operation `adminCreateUser`. */
export async function createUser(deps: AccountDeps, actor: UserActor, input: UserInput): Promise<UserView> {
  checkAccountName(input.name);
  const isLocal = (await keeperOfPasswords(deps.db, input.sourceId)) === "here";
  if (isLocal) checkFirstPassword(input.password);
  const { password, createdMs, ...rest } = input;
  const passwordHash = isLocal ? await hashPassword(password) : "";
  const mustChangePassword = isLocal && input.mustChangePassword;
  const user: NewUser = { ...rest, passwordHash, mustChangePassword, isAdmin: false, createdMs: createdMs ?? deps.clock.now() };
  try {
    return await deps.db.tx(async (tx) => getUser({ db: tx }, await insertUser(tx, user, actor)));
  } catch (error) {
    throw nameInUse(error, user.name, user.email);
  }
}

/**
 * Where the passwords of a source's accounts are stored. Source 0 is this server; LDAP directories keep their own; users of OpenID
 * Connect providers may have a local one.
 * @throws ForgeError `invalid` for a missing source
 */
async function keeperOfPasswords(db: Reader, sourceId: number): Promise<"here" | "directory" | "elsewhere"> {
  if (sourceId === 0) return "here";
  const kind = await findSourceKind(db, sourceId);
  if (kind === undefined) throw invalid(`login source does not exist [id: ${sourceId}]`, { reason: "changed_meanwhile" });
  return kind === "ldap" ? "directory" : "elsewhere";
}

/** @throws ForgeError `not_found` for an organization where a user is required */
export function requireUserAccount(account: AccountSubject): AccountSubject {
  if (account.kind !== "user") throw notFound();
  return account;
}

/** Edits a user as an administrator. Operation `adminEditUser`. */
export async function editUser(deps: AccountDeps, actor: UserActor, target: AccountSubject, changes: UserChanges): Promise<UserView> {
  requireUserAccount(target);
  const keeper = await keeperOfPasswords(deps.db, changes.sourceId);
  const { email, password } = changes;
  if (keeper === "directory" && password !== null)
    throw invalid(`the password of ${target.name} is managed by a directory and must be changed there`, { reason: "password_in_directory", field: "password" });
  if (password !== null && (password.length < minPasswordLength || password.length > maxPasswordLength)) {
    const isShort = password.length < minPasswordLength;
    const reason = isShort
      ? ({ code: "password_too_short", min: minPasswordLength } as const)
      : ({ code: "password_too_long", max: maxPasswordLength } as const);
    throw malformed(`password must be at least ${minPasswordLength} characters`, { reason, field: "password" });
  }
  if (email !== null && !isValidEmail(email))
    throw invalid(`e-mail address contains unsupported character [email: ${email}]`, { reason: "invalid_email", field: "email" });
  const passwordHash = password === null ? null : await hashPassword(password);
  const isShutOut = changes.isActive === false || changes.prohibitLogin === true;
  try {
    return await deps.db.tx(async (tx) => {
      const present = await loadEditable(tx, target.id);
      if (present === undefined) throw notFound();
      const losesAdmin = isAdministrator(present) && (changes.isAdmin === false || isShutOut);
      if (losesAdmin && (await countAdmins(tx)) <= 1)
        throw malformed(`can not delete the last admin user [uid: ${target.id}]`, { reason: "last_administrator" });
      if (email !== null && foldEmail(email) !== foldEmail(present.email)) await replacePrimaryEmail(tx, target.id, email);
      // An account whose password is in a directory has no local one, and none to change.
      const columns = keeper === "directory" ? changedColumns({ ...changes, mustChangePassword: false }, "") : changedColumns(changes, passwordHash);
      await updateAccount(tx, target.id, { ...columns, updated_ms: deps.clock.now() });
      if (passwordHash !== null || isShutOut || changes.sourceId !== present.sourceId) await forgetCredentials(tx, target.id);
      const account = { accountId: target.id, name: present.name, kind: "user" } as const;
      const edited = await loadEditable(tx, target.id);
      const changed = changesBetween(present, edited ?? present);
      if (passwordHash === null || Object.keys(changed).length > 0) await recordEvent(tx, "account.updated", { ...account, changes: changed }, { by: actor });
      if (passwordHash !== null) await recordEvent(tx, "password.changed", account, { by: actor });
      return getUser({ db: tx }, target.id);
    });
  } catch (error) {
    if (isUniqueViolation(error, "account_emails.folded"))
      throw malformed(`e-mail already in use [email: ${email}]`, { reason: "email_taken", field: "email" });
    throw error;
  }
}

/** Whether a user can administer the server: not if they are prohibited from signing in. */
const isAdministrator = (user: Pick<UserView, "isAdmin" | "isActive" | "prohibitLogin">): boolean => user.isAdmin && user.isActive && !user.prohibitLogin;

/** The changed columns only. */
function changedColumns(changes: UserChanges, passwordHash: string | null): Parameters<typeof updateAccount>[2] {
  if (changes.loginName) checkLength("LoginName", changes.loginName, lengths.line);
  const flag = (value: boolean | null) => (value === null ? null : Number(value));
  const columns = {
    login_name: changes.loginName,
    source_id: changes.sourceId,
    email: changes.email,
    full_name: changes.fullName,
    website: changes.website,
    location: changes.location,
    description: changes.description,
    visibility: changes.visibility,
    is_active: flag(changes.isActive),
    is_admin: flag(changes.isAdmin),
    is_restricted: flag(changes.isRestricted),
    prohibit_login: flag(changes.prohibitLogin),
    must_change_password: flag(changes.mustChangePassword),
    allow_create_organization: flag(changes.allowCreateOrganization),
    max_repo_creation: changes.maxRepoCreation,
    password_hash: passwordHash,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null));
}

/** Renames a user as an administrator; the previous name redirects. Operation `adminRenameUser`. */
export async function renameUser(deps: AccountDeps, actor: UserActor, target: AccountSubject, name: string): Promise<void> {
  if (foldName(name) !== foldName(target.name)) checkAccountName(name);
  try {
    await deps.db.tx(async (tx) => {
      await renameAccount(tx, target.id, name, deps.clock.now());
      await recordEvent(tx, "account.renamed", { accountId: target.id, name, formerName: target.name, kind: target.kind }, { by: actor });
    });
  } catch (error) {
    throw nameInUse(error, name, "");
  }
}

/**
 * Deletes a user without repositories and organizations, as an administrator. Operation `adminDeleteUser`.
 * @throws ForgeError `invalid` while the user owns repositories or belongs to organizations
 */
export async function deleteUser(deps: AccountDeps, actor: UserActor, target: AccountSubject): Promise<void> {
  await deps.db.tx((tx) => removeUser(tx, actor, target));
}

/** The same inside the caller's transaction, which may have removed the obstacles. */
export async function removeUser(tx: Tx, actor: UserActor, target: AccountSubject): Promise<void> {
  if (target.kind !== "user") throw invalid(`${target.name} is an organization, not a user`);
  if (isSelf(actor, target.id)) throw invalid("you cannot delete yourself", { reason: "own_account" });
  await removeUserOrSelf(tx, actor, target);
}

/** The same, but the user may be the caller, who has confirmed the deletion. */
export async function removeUserOrSelf(tx: Tx, actor: UserActor, target: Pick<AccountSubject, "id" | "name" | "kind">): Promise<void> {
  const owned = await loadPossessions(tx, target.id);
  if (owned.repositories > 0) throw invalid(`user still has ownership of repositories [uid: ${target.id}]`, { reason: "owns_repositories" });
  if (owned.organizations > 0) throw invalid(`user still has membership of organizations [uid: ${target.id}]`, { reason: "in_organizations" });
  const present = await getUser({ db: tx }, target.id);
  if (isAdministrator(present) && (await countAdmins(tx)) <= 1)
    throw invalid(`can not delete the last admin user [uid: ${target.id}]`, { reason: "last_administrator" });
  await removeAccount(tx, target, actor);
}

/** Removes the rows of an account without repositories and organizations, inside the caller's transaction. */
export async function removeAccount(tx: Tx, account: Pick<AccountSubject, "id" | "name" | "kind">, by: Author): Promise<void> {
  await deleteFollowsOf(tx, account.id);
  await deleteAccount(tx, account.id);
  await recordEvent(tx, "account.deleted", { accountId: account.id, name: account.name, kind: account.kind }, { by });
}
