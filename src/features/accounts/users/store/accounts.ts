import { type RawBuilder, type Selectable, type SqlBool, sql, type Updateable } from "kysely";
import { foldEmail, foldName } from "../../../../core/names.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { AccountsTable } from "../../../../db/tables/accounts.ts";
import type { UserSettingsView, UserView } from "../model.ts";
import { type AccountSort, pageAccountIds } from "./account-lists.ts";

type AccountRow = Selectable<AccountsTable>;

const viewColumns = [
  "accounts.id",
  "accounts.kind",
  "accounts.name",
  "accounts.full_name",
  "accounts.email",
  "accounts.hide_email",
  "accounts.avatar",
  "accounts.description",
  "accounts.website",
  "accounts.location",
  "accounts.language",
  "accounts.visibility",
  "accounts.is_admin",
  "accounts.is_active",
  "accounts.is_restricted",
  "accounts.prohibit_login",
  "accounts.login_name",
  "accounts.source_id",
  "accounts.created_ms",
  "accounts.last_login_ms",
  "accounts.followers_count",
  "accounts.following_count",
  "accounts.stars_count",
] as const;
type ViewColumn = (typeof viewColumns)[number] extends `accounts.${infer Name}` ? Name : never;

const toView = (row: Pick<AccountRow, ViewColumn & keyof AccountRow>): UserView => ({
  id: row.id,
  // The account of jobs acts like a user.
  kind: row.kind === "organization" ? "organization" : "user",
  name: row.name,
  fullName: row.full_name,
  email: row.email,
  hideEmail: row.hide_email === 1,
  avatar: row.avatar,
  description: row.description,
  website: row.website,
  location: row.location,
  language: row.language,
  visibility: row.visibility,
  isAdmin: row.is_admin === 1,
  isActive: row.is_active === 1,
  isRestricted: row.is_restricted === 1,
  prohibitLogin: row.prohibit_login === 1,
  loginName: row.login_name,
  sourceId: row.source_id,
  createdMs: row.created_ms,
  lastLoginMs: row.last_login_ms,
  followersCount: row.followers_count,
  followingCount: row.following_count,
  starsCount: row.stars_count,
});

const selectViews = compiled((db, given: Slots<{ ids: readonly number[] }>) =>
  db.sql
    .selectFrom("accounts")
    .select(viewColumns)
    .where((eb) => anyOf(db, eb.ref("id"), given.ids)),
);

/** Views by id. One statement for any number. */
export async function loadUserViews(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, UserView>> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return new Map();
  const rows = await selectViews(db, { ids: distinct });
  return new Map(rows.map((row) => [row.id, toView(row)]));
}

export async function findAccountByName(db: Reader, name: string): Promise<UserView | undefined> {
  const row = await db.sql
    .selectFrom("accounts")
    .select(viewColumns)
    .where("name_folded", "=", foldName(name))
    .where("kind", "<>", "system")
    .executeTakeFirst();
  return row && toView(row);
}

/** The current name of an account that once had this name. */
export async function findRedirect(db: Reader, name: string): Promise<string | undefined> {
  const row = await db.sql
    .selectFrom("account_redirects")
    .innerJoin("accounts", "accounts.id", "account_redirects.account_id")
    .select("accounts.name")
    .where("account_redirects.name_folded", "=", foldName(name))
    .executeTakeFirst();
  return row?.name;
}

/** Users by any verified address, folded. One statement. */
export async function loadUsersByEmail(db: Reader, emails: readonly string[]): Promise<ReadonlyMap<string, UserView>> {
  const folded = [...new Set(emails.map(foldEmail))];
  if (folded.length === 0) return new Map();
  const rows = await db.sql
    .selectFrom("account_emails")
    .innerJoin("accounts", "accounts.id", "account_emails.account_id")
    .select([...viewColumns, "account_emails.folded"])
    .where("account_emails.folded", "in", folded)
    .where("account_emails.is_verified", "=", 1)
    .execute();
  return new Map(rows.map((row) => [row.folded, toView(row)]));
}

const selectByNames = compiled((db, given: Slots<{ names: readonly string[] }>) =>
  db.sql
    .selectFrom("accounts")
    .select(viewColumns)
    .where("kind", "=", "user")
    .where((eb) => anyOf(db, eb.ref("name_folded"), given.names)),
);

/** Users by current name, folded. One statement. */
export async function loadUsersByName(db: Reader, foldedNames: readonly string[]): Promise<ReadonlyMap<string, UserView>> {
  if (foldedNames.length === 0) return new Map();
  const rows = await selectByNames(db, { names: foldedNames });
  return new Map(rows.map((row) => [foldName(row.name), toView(row)]));
}

export interface UserFilter {
  /** Part of a name, full name or (for administrators) email address. */
  readonly text: string;
  readonly ids?: readonly number[];
  /** The visibilities to list: anonymous callers see public accounts, users also limited ones, administrators all. */
  readonly visibilities: readonly ("public" | "limited" | "private")[];
  /** Listed regardless of its visibility: the caller. */
  readonly alwaysId: number | undefined;
  readonly searchesEmail: boolean;
  readonly loginName?: string;
  readonly sourceId?: number;
  readonly isAdmin?: boolean;
  readonly isActive?: boolean;
  readonly isRestricted?: boolean;
  readonly prohibitLogin?: boolean;
  readonly hasSecondFactor?: boolean;
  readonly sort: UserSort;
}
export type UserSort = "alphabetically" | "reversealphabetically" | "newest" | "oldest" | "recentupdate" | "leastupdate";

const sorts: Readonly<Record<UserSort, AccountSort>> = {
  alphabetically: { by: "name_folded", direction: "asc" },
  reversealphabetically: { by: "name_folded", direction: "desc" },
  newest: { by: "id", direction: "desc" },
  oldest: { by: "id", direction: "asc" },
  recentupdate: { by: "updated_ms", direction: "desc" },
  leastupdate: { by: "updated_ms", direction: "asc" },
};

/** Escapes LIKE wildcards; the escape character is `\`. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/** A page of users. At most three statements. */
export async function searchUsers(db: Reader, filter: UserFilter, page: Page): Promise<Paged<UserView>> {
  const { text, searchesEmail, visibilities, alwaysId, ids, sort } = filter;
  const { items, total } = await pageAccountIds(
    db,
    {
      kind: "user",
      text,
      searchesEmail,
      visibilities,
      alwaysIds: alwaysId === undefined ? undefined : sql`${alwaysId}`,
      conditions: [...(ids === undefined ? [] : [sql<SqlBool>`a.id in (${sql.join([...ids])})`]), ...stateConditions(filter)],
      sort: sorts[sort],
    },
    page,
  );
  if (items.length === 0) return { items: [], total };
  const rows = await db.sql
    .selectFrom("accounts")
    .select(viewColumns)
    .where((eb) => anyOf(db, eb.ref("id"), items))
    .execute();
  const found = new Map(rows.map((row) => [row.id, toView(row)]));
  return { items: items.flatMap((id) => found.get(id) ?? []), total };
}

/** Filters of administrators, as conditions on an account `a`. */
function* stateConditions(filter: UserFilter): Generator<RawBuilder<SqlBool>> {
  const flags = { is_admin: filter.isAdmin, is_active: filter.isActive, is_restricted: filter.isRestricted, prohibit_login: filter.prohibitLogin };
  if (filter.loginName !== undefined) yield sql`a.login_name = ${filter.loginName}`;
  if (filter.sourceId !== undefined) yield sql`a.source_id = ${filter.sourceId}`;
  for (const [column, value] of Object.entries(flags)) if (value !== undefined) yield sql`${sql.ref(`a.${column}`)} = ${value ? 1 : 0}`;
  if (filter.hasSecondFactor === undefined) return;
  const factor = sql<SqlBool>`exists (select 1 from second_factors f where f.account_id = a.id and f.confirmed_ms is not null)`;
  yield filter.hasSecondFactor ? factor : sql`not ${factor}`;
}

export type NewAccount = Pick<
  AccountRow,
  | "kind"
  | "name"
  | "full_name"
  | "email"
  | "description"
  | "website"
  | "location"
  | "visibility"
  | "password_hash"
  | "is_admin"
  | "is_restricted"
  | "must_change_password"
  | "login_name"
  | "source_id"
  | "created_ms"
  | "language"
>;

/** Inserts an account and removes a redirect from its name. Throws a unique violation for a name or address in use. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<number> {
  const folded = foldName(account.name);
  await tx.sql.deleteFrom("account_redirects").where("name_folded", "=", folded).execute();
  const { id } = await tx.sql
    .insertInto("accounts")
    .values({ ...account, name_folded: folded, avatar: "", updated_ms: account.created_ms })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function insertPrimaryEmail(tx: Tx, accountId: number, email: string): Promise<void> {
  await tx.sql
    .insertInto("account_emails")
    .values({ account_id: accountId, email, folded: foldEmail(email), is_primary: 1, is_verified: 1 })
    .execute();
}

/** The fields of a user that an administrator can edit. */
export async function loadEditable(db: Reader, id: number) {
  const row = await db.sql
    .selectFrom("accounts")
    .select(["name", "full_name", "email", "login_name", "source_id", "website", "location", "description", "visibility", "max_repo_creation"])
    .select(["is_admin", "is_active", "is_restricted", "prohibit_login", "must_change_password", "allow_create_organization"])
    .where("id", "=", id)
    .where("kind", "=", "user")
    .executeTakeFirst();
  return (
    row && {
      name: row.name,
      fullName: row.full_name,
      email: row.email,
      loginName: row.login_name,
      sourceId: row.source_id,
      website: row.website,
      location: row.location,
      description: row.description,
      visibility: row.visibility,
      isAdmin: row.is_admin === 1,
      isActive: row.is_active === 1,
      isRestricted: row.is_restricted === 1,
      prohibitLogin: row.prohibit_login === 1,
      mustChangePassword: row.must_change_password === 1,
      allowCreateOrganization: row.allow_create_organization === 1,
      maxRepoCreation: row.max_repo_creation,
    }
  );
}

/** Sets the primary address: another address of the account, or a new one that replaces the previous primary one. */
export async function replacePrimaryEmail(tx: Tx, accountId: number, email: string): Promise<void> {
  await tx.sql
    .deleteFrom("account_emails")
    .where("account_id", "=", accountId)
    .where((where) => where.or([where("is_primary", "=", 1), where("folded", "=", foldEmail(email))]))
    .execute();
  await insertPrimaryEmail(tx, accountId, email);
}

export async function updateAccount(tx: Tx, id: number, changes: Updateable<AccountsTable>): Promise<void> {
  await tx.sql.updateTable("accounts").set(changes).where("id", "=", id).execute();
}

export async function updateOrganization(tx: Tx, id: number, changes: Updateable<AccountsTable>): Promise<void> {
  await tx.sql.updateTable("accounts").set(changes).where("id", "=", id).where("kind", "=", "organization").execute();
}

/** Invalidates every cached verification of the account's credentials. */
export async function forgetCredentials(tx: Tx, id: number): Promise<void> {
  await tx.sql
    .updateTable("accounts")
    .set((set) => ({ credential_version: set("credential_version", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

/** Renames an account. The previous name redirects to it until another account takes it. */
export async function renameAccount(tx: Tx, id: number, name: string, now: number): Promise<void> {
  const former = await tx.sql.selectFrom("accounts").select("name_folded").where("id", "=", id).executeTakeFirstOrThrow();
  const folded = foldName(name);
  await tx.sql.deleteFrom("account_redirects").where("name_folded", "=", folded).execute();
  await updateAccount(tx, id, { name, name_folded: folded, updated_ms: now });
  if (former.name_folded !== folded) await tx.sql.insertInto("account_redirects").values({ name_folded: former.name_folded, account_id: id }).execute();
}

/** Deletes an account with its dependent rows. Its deleted repositories are gone for good, because they have no owner. */
export async function deleteAccount(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("repositories").where("owner_id", "=", id).where("deleted_ms", "is not", null).execute();
  await tx.sql.deleteFrom("accounts").where("id", "=", id).execute();
}

export async function isMember(db: Reader, orgId: number, accountId: number): Promise<boolean> {
  const row = await db.sql
    .selectFrom("organization_members")
    .select("account_id")
    .where("org_id", "=", orgId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts of the rows that prevent the deletion of an account. */
export async function loadPossessions(db: Reader, id: number): Promise<{ readonly repositories: number; readonly organizations: number }> {
  const row = await db.sql
    .selectFrom("accounts")
    .select((select) => [
      select
        .selectFrom("repositories")
        .select(select.fn.countAll<number>().as("n"))
        .where("owner_id", "=", id)
        .where("deleted_ms", "is", null)
        .as("repositories"),
      select.selectFrom("organization_members").select(select.fn.countAll<number>().as("n")).where("account_id", "=", id).as("organizations"),
    ])
    .where("accounts.id", "=", id)
    .executeTakeFirst();
  return { repositories: Number(row?.repositories ?? 0), organizations: Number(row?.organizations ?? 0) };
}

/** Administrators who can sign in. */
export async function countAdmins(db: Reader): Promise<number> {
  const { total } = await db.sql
    .selectFrom("accounts")
    .select((select) => select.fn.countAll<number>().as("total"))
    .where("kind", "=", "user")
    .where("is_admin", "=", 1)
    .where("is_active", "=", 1)
    .where("prohibit_login", "=", 0)
    .executeTakeFirstOrThrow();
  return Number(total);
}

export async function hasUsers(db: Reader): Promise<boolean> {
  return (await db.sql.selectFrom("accounts").select("id").where("kind", "=", "user").limit(1).executeTakeFirst()) !== undefined;
}

export async function loadSettings(db: Reader, id: number): Promise<UserSettingsView> {
  const row = await db.sql
    .selectFrom("accounts")
    .select([
      "full_name",
      "website",
      "description",
      "location",
      "language",
      "theme",
      "diff_view_style",
      "hide_email",
      "hide_activity",
      "email_notifications",
      "new_repositories_private",
    ])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return {
    fullName: row.full_name,
    website: row.website,
    description: row.description,
    location: row.location,
    language: row.language,
    theme: row.theme,
    diffViewStyle: row.diff_view_style,
    hideEmail: row.hide_email === 1,
    hideActivity: row.hide_activity === 1,
    newRepositoriesPrivate: row.new_repositories_private === 1,
    emailNotifications: row.email_notifications,
  };
}
