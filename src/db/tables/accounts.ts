import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface AccountTables {
  accounts: AccountsTable;
  account_totals: AccountTotalsTable;
  account_redirects: AccountRedirectsTable;
  account_emails: AccountEmailsTable;
  follows: FollowsTable;
  blocks: BlocksTable;
  public_keys: PublicKeysTable;
}

/** Users and organizations share ids, names and redirects. */
export interface AccountsTable {
  id: Generated<number>;
  /** `system`: see `src/access/system-account.ts`. */
  kind: "user" | "organization" | "system";
  name: string;
  /** Lower-case name, unique. Names are ASCII, so folding is exact. */
  name_folded: string;
  full_name: string;
  /** Primary address, as entered; for organizations the public contact. */
  email: string;
  description: string;
  website: string;
  location: string;
  visibility: "public" | "limited" | "private";
  /** Empty: an avatar generated from the email's digest. Otherwise the content digest of an upload. */
  avatar: string;
  created_ms: Millis;
  updated_ms: Millis;
  /** PHC string; empty if the account cannot sign in by password. */
  password_hash: Generated<string>;
  /** Incremented when cached verifications must be dropped (password or state changed): part of every cache entry. */
  credential_version: Generated<number>;
  is_admin: Generated<Flag>;
  is_active: Generated<Flag>;
  is_restricted: Generated<Flag>;
  prohibit_login: Generated<Flag>;
  must_change_password: Generated<Flag>;
  login_name: Generated<string>;
  source_id: Generated<number>;
  last_login_ms: Generated<Millis>;
  language: Generated<string>;
  theme: Generated<string>;
  diff_view_style: Generated<string>;
  hide_email: Generated<Flag>;
  hide_activity: Generated<Flag>;
  /** The form for new repositories preselects private. */
  new_repositories_private: Generated<Flag>;
  /** Email notifications sent to the user. */
  email_notifications: Generated<"enabled" | "onmention" | "andyourown" | "disabled">;
  allow_create_organization: Generated<Flag>;
  /** -1: the server's default. */
  max_repo_creation: Generated<number>;
  followers_count: Generated<number>;
  following_count: Generated<number>;
  stars_count: Generated<number>;
  /** Number of owned repositories; updated in the transaction that changes it. */
  repos_count: Generated<number>;
  /** Organizations only. */
  repo_admin_change_team_access: Generated<Flag>;
}

/** Number of accounts by kind and visibility, in shards. Maintained by the database. */
export interface AccountTotalsTable {
  kind: AccountsTable["kind"];
  visibility: AccountsTable["visibility"];
  shard: number;
  n: number;
}

export interface AccountRedirectsTable {
  name_folded: string;
  account_id: number;
}

/** All addresses of users; `folded` is unique. */
export interface AccountEmailsTable {
  id: Generated<number>;
  account_id: number;
  email: string;
  folded: string;
  is_primary: Flag;
  is_verified: Flag;
}

/** Followers; `followers_count` and `following_count` of the accounts are updated in the same transaction. */
export interface FollowsTable {
  target_id: number;
  /** The follower. */
  account_id: number;
  created_ms: Millis;
}

/** Accounts blocked by another account. */
export interface BlocksTable {
  blocker_id: number;
  account_id: number;
  /** Visible only to the blocking account. */
  note: string;
  created_ms: Millis;
}

/** SSH keys and principals of SSH certificates, unique by fingerprint. */
export interface PublicKeysTable {
  id: Generated<number>;
  /** The owner; null: a deploy key, for the repositories of `deploy_keys`. */
  account_id: number | null;
  /** Name given by the owner; empty without an owner. */
  title: string;
  /** One line: algorithm, base64 and the comment, if given. A principal has its name here. */
  content: string;
  /** `SHA256:` and the digest. A principal has `principal` and its name, also as its title. */
  fingerprint: string;
  /** 1: the account signs in with certificates that have this principal. */
  is_principal: Generated<Flag>;
  created_ms: Millis;
  /** Accurate to a minute; 0: never. */
  last_used_ms: Generated<Millis>;
}
