import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface AccountTables {
  accounts: AccountsTable;
  account_redirects: AccountRedirectsTable;
  account_emails: AccountEmailsTable;
  follows: FollowsTable;
  blocks: BlocksTable;
  public_keys: PublicKeysTable;
}

/** Users and organizations share ids, names and redirects. */
export interface AccountsTable {
  id: Generated<number>;
  kind: "user" | "organization";
  name: string;
  /** Lower-case name, unique. Names are ASCII, so folding is exact. */
  name_folded: string;
  full_name: string;
  /** Primary address, as given; organizations: the public contact. */
  email: string;
  description: string;
  website: string;
  location: string;
  visibility: "public" | "limited" | "private";
  /** Empty: a generated picture by the e-mail's digest. Else the content digest of an upload. */
  avatar: string;
  created_ms: Millis;
  updated_ms: Millis;
  /** PHC string; empty when the account cannot sign in by password. */
  password_hash: Generated<string>;
  /** Counts up when credentials must be forgotten (password, state): part of every cached verification. */
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
  /** Which news reach the user by mail. */
  email_notifications: Generated<"enabled" | "onmention" | "andyourown" | "disabled">;
  allow_create_organization: Generated<Flag>;
  /** -1: the server's default. */
  max_repo_creation: Generated<number>;
  followers_count: Generated<number>;
  following_count: Generated<number>;
  stars_count: Generated<number>;
  /** Repositories owned; kept in the transaction that changes it. */
  repos_count: Generated<number>;
  /** Organizations only. */
  repo_admin_change_team_access: Generated<Flag>;
}

export interface AccountRedirectsTable {
  name_folded: string;
  account_id: number;
}

/** Every address of a user; `folded` is unique among all. */
export interface AccountEmailsTable {
  id: Generated<number>;
  account_id: number;
  email: string;
  folded: string;
  is_primary: Flag;
  is_verified: Flag;
}

/** Who follows whom; `followers_count` and `following_count` of the two are kept with it. */
export interface FollowsTable {
  target_id: number;
  /** The follower. */
  account_id: number;
  created_ms: Millis;
}

/** Whom an account keeps away from itself and what it owns. */
export interface BlocksTable {
  blocker_id: number;
  account_id: number;
  /** The blocker's own, shown to nobody else. */
  note: string;
  created_ms: Millis;
}

/** SSH keys, each once. */
export interface PublicKeysTable {
  id: Generated<number>;
  /** Whose key it is; null: nobody's, it acts for the repositories of `deploy_keys`. */
  account_id: number | null;
  /** The owner's name for it; empty without an owner. */
  title: string;
  /** One line: algorithm, base64 and, when it was given, the comment. */
  content: string;
  /** `SHA256:` and the digest. */
  fingerprint: string;
  created_ms: Millis;
  /** Exact to a minute; 0: never. */
  last_used_ms: Generated<Millis>;
}
