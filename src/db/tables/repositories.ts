import type { Generated } from "kysely";
import type { Flag, Millis } from "./columns.ts";

export interface RepositoryTables {
  repositories: RepositoriesTable;
  repository_redirects: RepositoryRedirectsTable;
  repository_totals: RepositoryTotalsTable;
  collaborators: CollaboratorsTable;
  topics: TopicsTable;
  repository_topics: RepositoryTopicsTable;
  topic_totals: TopicTotalsTable;
  watches: WatchesTable;
  ignored_repositories: IgnoredRepositoriesTable;
  stars: StarsTable;
  repository_languages: RepositoryLanguagesTable;
  deploy_keys: DeployKeysTable;
  repository_transfers: RepositoryTransfersTable;
  repository_transfer_teams: RepositoryTransferTeamsTable;
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
  /** The parent of a fork; null if it is not a fork, or the parent was deleted. */
  fork_of: number | null;
  /** Root of the fork network, which may have been deleted; null: not in a network, or the root itself. */
  network_id: number | null;
  code_store_id: number;
  wiki_store_id: number | null;
  default_branch: string;
  trust_model: "default" | "collaborator" | "committer" | "collaboratorcommitter";
  avatar: string;
  /** Name of the picture of link previews, like `avatar`. */
  preview: Generated<string>;
  /** Unit switches and merge settings as JSON of `RepositorySettings` (features/repositories/repos/settings.ts). */
  settings: string;
  /** SPDX ids found in the default branch, comma-separated. */
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
  /** The last assigned number of an issue or pull request. */
  last_issue_number: Generated<number>;
  /** The highest number of a deleted run of Actions, so that no run gets the number of another one. */
  deleted_run_number: Generated<number>;
  /** Audience: 0 no user, 1 users with a grant, 2 signed-in users, 3 everyone. Maintained by the database. */
  audience: Generated<number>;
  /** Sum of 1 private, 2 template, 4 archived, 8 mirror, 16 fork. Maintained by the database. */
  traits: Generated<number>;
  /** The audience of its issues. */
  issue_audience: Generated<number>;
  /** The same for its pull requests. */
  pull_audience: Generated<number>;
  releases_count: Generated<number>;
  /** Bytes of LFS objects and attachments. May lag by a day after deletions of their issues or releases. */
  files_bytes: Generated<number>;
  created_ms: Millis;
  updated_ms: Millis;
  archived_ms: Millis;
  /** Set: deleted, invisible, and purged later by a job. */
  deleted_ms: Millis | null;
  /** Null: not deleted, deleted from the command line, or the account was deleted. */
  deleter_id: number | null;
}

/** Number of repositories by audience and traits, in shards. Maintained by the database. */
export interface RepositoryTotalsTable {
  audience: number;
  traits: number;
  shard: number;
  n: number;
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
  /** The audience of the repository. Maintained by the database. */
  audience: Generated<number>;
}

/** Number of repositories by topic and audience. Maintained by the database. */
export interface TopicTotalsTable {
  topic_id: number;
  audience: number;
  n: number;
}

export interface WatchesTable {
  repo_id: number;
  account_id: number;
  created_ms: Millis;
  /** 1: the account is notified of activity of this kind. */
  issues: Generated<number>;
  pulls: Generated<number>;
  releases: Generated<number>;
}

/** Repositories of which accounts receive no notifications. An account does not watch a repository that it ignores. */
export interface IgnoredRepositoriesTable {
  repo_id: number;
  account_id: number;
  created_ms: Millis;
}

export interface StarsTable {
  repo_id: number;
  account_id: number;
  created_ms: Millis;
}

/** Bytes per language on the default branch, for the tree `tree_oid`. */
export interface RepositoryLanguagesTable {
  repo_id: number;
  language: string;
  bytes: number;
}

export interface DeployKeysTable {
  id: Generated<number>;
  repo_id: number;
  key_id: number;
  title: string;
  is_read_only: Flag;
  created_ms: Millis;
  /** Accurate to a minute; 0: never. */
  last_used_ms: Generated<Millis>;
}

/** Repository transfers that the new owner has not accepted yet. */
export interface RepositoryTransfersTable {
  repo_id: number;
  /** The requesting account. */
  doer_id: number;
  recipient_id: number;
  /** The recipient was made a temporary collaborator in order to view it. */
  adds_collaborator: Flag;
  created_ms: Millis;
}

/** Teams of the recipient that receive access. */
export interface RepositoryTransferTeamsTable {
  repo_id: number;
  team_id: number;
}
