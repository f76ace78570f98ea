import type { Generated } from "kysely";

/**
 * The tables, alike in SQLite and PostgreSQL: integers for ids and times (ms since 1970), 0/1 for booleans, hex text for object ids.
 * Migrations make them (`migrations/`); they import nothing from here.
 */
export interface Tables {
  accounts: AccountsTable;
  account_redirects: AccountRedirectsTable;
  account_emails: AccountEmailsTable;
  access_tokens: AccessTokensTable;
  organization_members: OrganizationMembersTable;
  teams: TeamsTable;
  team_members: TeamMembersTable;
  team_units: TeamUnitsTable;
  team_repositories: TeamRepositoriesTable;
  git_stores: GitStoresTable;
  refs: RefsTable;
  repositories: RepositoriesTable;
  repository_redirects: RepositoryRedirectsTable;
  collaborators: CollaboratorsTable;
  topics: TopicsTable;
  repository_topics: RepositoryTopicsTable;
  watches: WatchesTable;
  stars: StarsTable;
  follows: FollowsTable;
  blocks: BlocksTable;
  repository_languages: RepositoryLanguagesTable;
  commit_counts: CommitCountsTable;
  commit_changes: CommitChangesTable;
  last_commits: LastCommitsTable;
  events: EventsTable;
  jobs: JobsTable;
  schedules: SchedulesTable;
  idempotency_keys: IdempotencyKeysTable;
  server_values: ServerValuesTable;
  public_keys: PublicKeysTable;
  deploy_keys: DeployKeysTable;
  migrations: MigrationsTable;
}

/** 0 or 1. */
export type Flag = number;
/** Milliseconds since 1970, UTC. */
export type Millis = number;

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

export interface AccessTokensTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  /** SHA-256 of the 40 hex digits, as hex. */
  token_hash: string;
  last_eight: string;
  /** Normalised, comma separated. */
  scopes: string;
  created_ms: Millis;
  last_used_ms: Millis;
}

/** Derived from team membership in the same transaction; holds whether the membership is shown. */
export interface OrganizationMembersTable {
  org_id: number;
  account_id: number;
  is_public: Flag;
}

export type AccessMode = "none" | "read" | "write" | "admin" | "owner";

export interface TeamsTable {
  id: Generated<number>;
  org_id: number;
  name: string;
  name_folded: string;
  description: string;
  /** `owner` for the owners team, `admin`, else `none`: rights are then per unit. */
  mode: "none" | "admin" | "owner";
  includes_all_repositories: Flag;
  can_create_org_repo: Flag;
}

export interface TeamMembersTable {
  team_id: number;
  account_id: number;
  org_id: number;
}

export interface TeamUnitsTable {
  team_id: number;
  /** `repo.code` and so on. */
  unit: string;
  mode: AccessMode;
}

export interface TeamRepositoriesTable {
  team_id: number;
  repo_id: number;
}

/** What holds objects and refs. Its directory on disk follows from the id alone. */
export interface GitStoresTable {
  id: Generated<number>;
  object_format: "sha1" | "sha256";
  /** Full name of the ref that HEAD stands for, `refs/heads/main`. */
  head_ref: string;
  /** Counts up with every transaction that moves a ref or HEAD. */
  refs_version: Generated<number>;
  /** The `refs_version` that the disk shows. Smaller than `refs_version`: the projection is behind. */
  projected_version: Generated<number>;
  /** Bytes of packs and loose objects, as accounted at each write. */
  size_bytes: Generated<number>;
  /** Moves of refs since packs were last joined and the commit-graph extended. */
  writes_since_housekeeping: Generated<number>;
  /** The `refs_version` at which everything was last packed into one and garbage dropped. */
  collected_version: Generated<number>;
  created_ms: Millis;
}

export interface RefsTable {
  store_id: number;
  /** Full name, `refs/heads/main`. */
  name: string;
  oid: string;
  type: "commit" | "tree" | "blob" | "tag";
  /** What an annotated tag leads to in the end; empty when `oid` is no tag object. */
  peeled_oid: string;
  /** When the tip was made: its committer's or tagger's time, 0 where it has none. Branches and tags are listed by it. */
  tip_ms: Millis;
  updated_ms: Millis;
}

export interface RepositoriesTable {
  id: Generated<number>;
  owner_id: number;
  name: string;
  name_folded: string;
  description: string;
  website: string;
  original_url: string;
  is_private: Flag;
  is_template: Flag;
  is_archived: Flag;
  is_mirror: Flag;
  is_empty: Flag;
  /** The repository it was forked from; null when it is none, or that is gone. */
  fork_of: number | null;
  code_store_id: number;
  wiki_store_id: number | null;
  default_branch: string;
  trust_model: "default" | "collaborator" | "committer" | "collaboratorcommitter";
  avatar: string;
  /** Unit switches and merge rules as one JSON text of `RepositorySettings` (features/repos/settings.ts). */
  settings: string;
  /** SPDX ids found in the default branch, comma separated. */
  licenses: string;
  language: string;
  stars_count: Generated<number>;
  forks_count: Generated<number>;
  watchers_count: Generated<number>;
  branches_count: Generated<number>;
  open_issues_count: Generated<number>;
  closed_issues_count: Generated<number>;
  open_pulls_count: Generated<number>;
  closed_pulls_count: Generated<number>;
  releases_count: Generated<number>;
  created_ms: Millis;
  updated_ms: Millis;
  archived_ms: Millis;
  /** Set: deleted, invisible, and swept by a job. */
  deleted_ms: Millis | null;
}

export interface RepositoryRedirectsTable {
  owner_id: number;
  name_folded: string;
  repo_id: number;
}

export interface CollaboratorsTable {
  repo_id: number;
  account_id: number;
  mode: "read" | "write" | "admin";
  created_ms: Millis;
}

export interface TopicsTable {
  id: Generated<number>;
  name: string;
  repo_count: Generated<number>;
  created_ms: Millis;
  updated_ms: Millis;
}

export interface RepositoryTopicsTable {
  repo_id: number;
  topic_id: number;
}

export interface WatchesTable {
  repo_id: number;
  account_id: number;
  created_ms: Millis;
}

export interface StarsTable {
  repo_id: number;
  account_id: number;
  created_ms: Millis;
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

/** Bytes of each language on the default branch; `tree_oid` says of which tree. */
export interface RepositoryLanguagesTable {
  repo_id: number;
  language: string;
  bytes: number;
}

/** Commits reachable from a tip: a fact of the id, droppable, never stale. */
export interface CommitCountsTable {
  store_id: number;
  oid: string;
  count: number;
}

/** Changed paths and line counts of a commit against its first parent, as JSON: a fact of the id. */
export interface CommitChangesTable {
  store_id: number;
  oid: string;
  changes: string;
}

/** Last commit of each entry of a directory as seen from a tip, as JSON: a fact of the ids. */
export interface LastCommitsTable {
  store_id: number;
  tip_oid: string;
  /** Directory, `` for the root; or, behind a slash, the path of one entry alone. */
  path: string;
  entries: string;
}

/** The outbox. A row is written in the transaction of the change that it tells of. */
export interface EventsTable {
  id: Generated<number>;
  type: string;
  /** JSON of the event's payload. */
  payload: string;
  repo_id: number | null;
  actor_id: number | null;
  created_ms: Millis;
  /** 1 when every listener has taken it. */
  is_dispatched: Generated<Flag>;
}

export interface JobsTable {
  id: Generated<number>;
  kind: string;
  payload: string;
  /** Not null: at most one waiting job of this kind and key. */
  dedupe_key: string | null;
  state: "waiting" | "running" | "failed";
  run_at_ms: Millis;
  attempts: Generated<number>;
  /** Counts up with each lease; a worker whose fence is old changes nothing. */
  fence: Generated<number>;
  lease_until_ms: Millis | null;
  last_error: string | null;
  created_ms: Millis;
}

export interface SchedulesTable {
  name: string;
  next_run_ms: Millis;
  last_run_ms: Millis | null;
  runs: Generated<number>;
}

/** First answers of POST requests that carried an Idempotency-Key, kept for 24 h. */
export interface IdempotencyKeysTable {
  account_id: number;
  key: string;
  /** SHA-256 of method, path and body. */
  request_hash: string;
  /** 0 while the first request is under way. */
  status: number;
  headers: string;
  body: string;
  created_ms: Millis;
}

/** Values that the server makes once for itself: secrets, ids. */
export interface ServerValuesTable {
  name: string;
  value: string;
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
}

export interface DeployKeysTable {
  id: Generated<number>;
  repo_id: number;
  key_id: number;
  title: string;
  is_read_only: Flag;
  created_ms: Millis;
}

export interface MigrationsTable {
  id: number;
  name: string;
  applied_ms: Millis;
}
