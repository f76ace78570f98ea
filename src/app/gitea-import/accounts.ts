import { join } from "node:path";
import { foldEmail, foldName, isValidEmail } from "../../core/names.ts";
import { type Batch, newBatch } from "../../db/row-batch.ts";
import { addIdentities, convertAuthSources, type ImportedSources } from "./auth-sources.ts";
import type { Conversion } from "./context.ts";
import type { FileCopier } from "./files.ts";
import { accountName } from "./names.ts";
import { convertPassword } from "./passwords.ts";
import { type ForeignRow, flagOf, knownId, millisOf, numberOf, textOf } from "./source.ts";

/** Accounts that other rows may refer to. */
export interface ImportedAccounts {
  readonly kinds: ReadonlyMap<number, "user" | "organization">;
  /** Their names in Hearth. */
  readonly names: ReadonlyMap<number, string>;
  /** Names in Gitea, which its folders have. */
  readonly formerNames: ReadonlyMap<number, string>;
}

export interface ConvertedAccounts extends ImportedAccounts {
  readonly batch: Batch;
}

const kindsByType: Readonly<Record<number, "user" | "organization">> = { 0: "user", 1: "organization", 4: "user" };
const botType = 4;
export const visibilities = ["public", "limited", "private"] as const;
const notifications = ["enabled", "onmention", "andyourown", "disabled"] as const;

/** Users and organizations with their addresses, former names, follows, blocks and badges. */
export async function convertAccounts(conversion: Conversion): Promise<ConvertedAccounts> {
  const { source, report } = conversion;
  const { database } = source;
  const batch = newBatch();
  const sources = await convertAuthSources(conversion, batch);
  const kinds = new Map<number, "user" | "organization">();
  const names = new Map<number, string>();
  const formerNames = new Map<number, string>();
  const taken = new Set<string>();
  const rows = await database.all(`select * from "user" where id > 0 order by id`);
  // Valid names are kept, so they are taken before any other name is chosen.
  const order = rows.filter((row) => numberOf(row.type) in kindsByType).toSorted((a, b) => Number(isAltered(a)) - Number(isAltered(b)));
  for (const row of order) {
    const [id, name] = [numberOf(row.id), textOf(row.name)];
    formerNames.set(id, name);
    names.set(id, accountName({ id, name }, taken, report));
  }
  for (const row of rows) {
    const kind = kindsByType[numberOf(row.type)];
    const name = names.get(numberOf(row.id));
    if (kind === undefined || name === undefined) {
      report.without("reserved names and accounts of other servers", textOf(row.name));
      continue;
    }
    kinds.set(numberOf(row.id), kind);
    addAccount(batch, { report, sources }, row, { kind, name });
    if (numberOf(row.type) === botType) report.without("bot accounts, which become users without a password", name);
  }
  await addRelations({ source, report, batch, kinds });
  await addEmails({ source, report, batch, kinds }, rows);
  await addRedirects({ source, report, batch, kinds }, { names, formerNames });
  await addIdentities(conversion, { kinds, names }, sources, batch);
  return { batch, kinds, names, formerNames };
}

interface MutableAccount {
  readonly id: number;
  avatar: string;
  followers_count?: number;
  following_count?: number;
  stars_count?: number;
  repos_count?: number;
}

const accountRows = (batch: Batch): readonly MutableAccount[] => (batch.tables.get("accounts") ?? []) as MutableAccount[];

/** Counts the repositories and the stars of each account. */
export async function addCounters(
  { source }: Conversion,
  { batch }: ConvertedAccounts,
  plans: readonly { readonly id: number; readonly ownerId: number }[],
): Promise<void> {
  const repositories = new Set(plans.map(({ id }) => id));
  const owned = new Map<number, number>();
  for (const { ownerId } of plans) owned.set(ownerId, (owned.get(ownerId) ?? 0) + 1);
  const stars = new Map<number, number>();
  for (const row of await source.database.all("select distinct uid, repo_id from star"))
    if (repositories.has(numberOf(row.repo_id))) stars.set(numberOf(row.uid), (stars.get(numberOf(row.uid)) ?? 0) + 1);
  for (const account of accountRows(batch)) {
    account.repos_count = owned.get(account.id) ?? 0;
    account.stars_count = stars.get(account.id) ?? 0;
  }
}

/** Copies the uploaded pictures of accounts. Other pictures are generated. */
export async function addPictures({ source, report }: Conversion, { batch, names }: ConvertedAccounts, copier: FileCopier): Promise<void> {
  const rows = await source.database.all(`select id, avatar, use_custom_avatar from "user" where id > 0`);
  const named = new Map(rows.filter((row) => flagOf(row.use_custom_avatar) === 1).map((row) => [numberOf(row.id), textOf(row.avatar)]));
  for (const account of accountRows(batch)) {
    const name = named.get(account.id) ?? "";
    if (name === "") continue;
    account.avatar = await copier.picture(join(source.places.avatars, name));
    if (account.avatar === "") report.without("pictures that are missing or that Hearth refuses", names.get(account.id) ?? "");
    else report.count("pictures", 1);
  }
}

const isAltered = (row: ForeignRow): boolean => accountName({ id: 0, name: textOf(row.name) }, new Set(), silent) !== textOf(row.name);
const silent = { count: () => {}, renamed: () => {}, without: () => {}, lines: () => [] };

interface Account {
  readonly kind: "user" | "organization";
  readonly name: string;
}

interface AddingAccounts extends Pick<Conversion, "report"> {
  readonly sources: ImportedSources;
}

function addAccount(batch: Batch, { report, sources }: AddingAccounts, row: ForeignRow, { kind, name }: Account): void {
  const sourceId = numberOf(row.login_source);
  if (kind === "user" && sourceId > 0 && !sources.has(sourceId)) report.without("links of accounts to authentication sources that Hearth does not have", name);
  const preference = textOf(row.email_notifications_preference);
  batch.add("accounts", {
    id: numberOf(row.id),
    kind,
    name,
    name_folded: foldName(name),
    full_name: textOf(row.full_name),
    email: textOf(row.email),
    description: textOf(row.description),
    website: textOf(row.website),
    location: textOf(row.location),
    visibility: visibilities[numberOf(row.visibility)] ?? "private",
    avatar: "",
    created_ms: millisOf(row.created_unix),
    updated_ms: millisOf(row.updated_unix),
    password_hash: kind === "user" ? passwordOf(row, name, report) : "",
    is_admin: flagOf(row.is_admin),
    is_active: kind === "user" ? flagOf(row.is_active) : 1,
    is_restricted: flagOf(row.is_restricted),
    prohibit_login: flagOf(row.prohibit_login),
    must_change_password: flagOf(row.must_change_password),
    login_name: textOf(row.login_name),
    source_id: kind === "user" && sources.has(sourceId) ? sourceId : 0,
    last_login_ms: millisOf(row.last_login_unix),
    language: textOf(row.language),
    theme: textOf(row.theme),
    diff_view_style: textOf(row.diff_view_style),
    hide_email: flagOf(row.keep_email_private),
    hide_activity: flagOf(row.keep_activity_private),
    email_notifications: notifications.find((one) => one === preference) ?? "enabled",
    allow_create_organization: flagOf(row.allow_create_organization),
    max_repo_creation: numberOf(row.max_repo_creation),
    repo_admin_change_team_access: flagOf(row.repo_admin_change_team_access),
  });
  report.count(kind === "user" ? "users" : "organizations", 1);
}

function passwordOf(row: ForeignRow, name: string, report: Conversion["report"]): string {
  const hash = textOf(row.passwd);
  if (hash === "") return "";
  const converted = convertPassword({ hash, salt: textOf(row.salt), algorithm: textOf(row.passwd_hash_algo) });
  if (converted === undefined) report.without("passwords that cannot be verified: reset them", name);
  return converted ?? "";
}

interface Adding extends Pick<Conversion, "source" | "report"> {
  readonly batch: Batch;
  readonly kinds: ReadonlyMap<number, "user" | "organization">;
}

/** Every user has a primary address; Gitea stores it in both tables. */
async function addEmails({ source, report, batch, kinds }: Adding, users: readonly ForeignRow[]): Promise<void> {
  const rows = await source.database.all("select * from email_address order by id");
  const used = new Set<string>();
  const primary = new Map(users.map((row) => [numberOf(row.id), foldEmail(textOf(row.email))]));
  const withPrimary = new Set<number>();
  let lastId = numberOf(rows.at(-1)?.id);
  const add = (row: { readonly id?: number; readonly userId: number; readonly email: string; readonly isVerified: 0 | 1 }): void => {
    const folded = foldEmail(row.email);
    if (used.has(folded)) {
      report.without("second uses of an email address", row.email);
      return;
    }
    if (!isValidEmail(row.email)) report.without("email addresses to which Hearth cannot send", row.email);
    used.add(folded);
    if (row.id === undefined) lastId += 1;
    const isPrimary = primary.get(row.userId) === folded && !withPrimary.has(row.userId);
    if (isPrimary) withPrimary.add(row.userId);
    batch.add("account_emails", {
      id: row.id ?? lastId,
      account_id: row.userId,
      email: row.email,
      folded,
      is_primary: isPrimary ? 1 : 0,
      is_verified: row.isVerified,
    });
  };
  for (const row of rows) {
    const userId = numberOf(row.uid);
    if (kinds.get(userId) === "user") add({ id: numberOf(row.id), userId, email: textOf(row.email), isVerified: flagOf(row.is_activated) });
    else report.without("email addresses without a user", textOf(row.email));
  }
  for (const row of users) {
    const userId = numberOf(row.id);
    const isMissing = kinds.get(userId) === "user" && !withPrimary.has(userId) && textOf(row.email) !== "";
    if (isMissing) add({ userId, email: textOf(row.email), isVerified: flagOf(row.is_active) });
  }
  report.count("email addresses", batch.size("account_emails"));
}

/** Former names of Gitea, and the names that were replaced here. */
async function addRedirects({ source, batch, kinds }: Adding, { names, formerNames }: Pick<ImportedAccounts, "names" | "formerNames">): Promise<void> {
  const rows = await source.database.all("select * from user_redirect order by id");
  const used = new Set([...names.values()].map(foldName));
  const add = (name: string, accountId: number): void => {
    const folded = foldName(name);
    if (folded === "" || used.has(folded) || !kinds.has(accountId)) return;
    used.add(folded);
    batch.add("account_redirects", { name_folded: folded, account_id: accountId });
  };
  for (const [id, name] of formerNames) if (names.get(id) !== name) add(name, id);
  for (const row of rows) add(textOf(row.lower_name), numberOf(row.redirect_user_id));
}

async function addRelations({ source, report, batch, kinds }: Adding): Promise<void> {
  const { database } = source;
  const followers = new Map<number, number>();
  const following = new Map<number, number>();
  for (const row of await database.all("select distinct user_id, follow_id, created_unix from follow")) {
    const [follower, target] = [knownId(row.user_id, kinds), knownId(row.follow_id, kinds)];
    if (follower === null || target === null || follower === target) {
      report.without("follows of missing accounts", 1);
      continue;
    }
    batch.add("follows", { target_id: target, account_id: follower, created_ms: millisOf(row.created_unix) });
    followers.set(target, (followers.get(target) ?? 0) + 1);
    following.set(follower, (following.get(follower) ?? 0) + 1);
  }
  for (const account of accountRows(batch)) {
    account.followers_count = followers.get(account.id) ?? 0;
    account.following_count = following.get(account.id) ?? 0;
  }
  for (const row of await database.all("select * from user_blocking order by id")) {
    const [blocker, blocked] = [knownId(row.blocker_id, kinds), knownId(row.blockee_id, kinds)];
    if (blocker === null || blocked === null) report.without("blocks of missing accounts", 1);
    else batch.add("blocks", { blocker_id: blocker, account_id: blocked, note: textOf(row.note), created_ms: millisOf(row.created_unix) });
  }
  report.count("follows", batch.size("follows"));
  report.count("blocked users", batch.size("blocks"));
}
