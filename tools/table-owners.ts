/**
 * The feature or layer that writes each table. `check-tables.ts` rejects writes by others: they call a service of the owner, in their own
 * transaction. A feature may read the tables of layers and of earlier features, so that a list takes one statement.
 */
export const tableOwners: Readonly<Record<string, readonly string[]>> = {
  db: ["migrations", "server_values", "unused_files"],
  events: ["events"],
  http: ["idempotency_keys"],
  jobs: ["jobs", "schedules"],
  "actions/runners": ["action_runner_tokens", "action_runners"],
  "actions/runs": [
    "action_artifacts",
    "action_caches",
    "action_jobs",
    "action_log_parts",
    "action_required_repositories",
    "action_required_workflows",
    "action_runs",
    "action_summaries",
    "action_tasks",
    "action_upload_blocks",
    "action_uploads",
    "action_workflows",
  ],
  "actions/secrets": ["action_secrets", "action_variables"],
  "accounts/auth-sources": ["authentication_sources", "external_identities"],
  "accounts/keys": ["deploy_keys", "gpg_keys", "public_keys"],
  "accounts/oauth2": ["oauth2_applications", "oauth2_families", "oauth2_grants"],
  "accounts/recovery": ["email_codes"],
  "accounts/sessions": ["sessions"],
  "accounts/users": [
    "account_texts",
    "access_token_repositories",
    "access_tokens",
    "account_emails",
    "account_redirects",
    "accounts",
    "blocks",
    "follows",
    "recovery_codes",
    "second_factors",
    "sign_in_networks",
    "sign_in_throttles",
  ],
  "organizations/teams": ["organization_invitations", "organization_members", "team_members", "team_repositories", "team_units", "teams"],
  "repositories/branches": ["deleted_branches"],
  "repositories/commits": ["commit_changes", "commit_counts", "last_commits", "path_counts"],
  "repositories/migrations": ["repo_migrations"],
  "repositories/mirrors": ["pull_mirrors", "push_mirrors"],
  "repositories/protections": ["ref_protection_teams", "ref_protection_users", "ref_protections"],
  "repositories/refs": ["git_stores", "ref_moves", "refs", "replaced_packs", "store_packs", "store_problems"],
  "repositories/pins": ["pinned_repositories"],
  "repositories/releases": ["releases"],
  "repositories/repos": [
    "collaborators",
    "ignored_repositories",
    "repositories",
    "repository_languages",
    "repository_redirects",
    "repository_texts",
    "repository_topics",
    "repository_transfer_teams",
    "repository_transfers",
    "stars",
    "topics",
    "watches",
  ],
  "repositories/star-lists": ["star_list_repositories", "star_lists"],
  "repositories/statuses": ["commit_statuses"],
  "collaboration/attachments": ["attachments"],
  "collaboration/commit-comments": ["commit_comments"],
  "collaboration/issues": [
    "comment_texts",
    "comment_texts_waiting",
    "comments",
    "content_history",
    "issue_assignees",
    "issue_branches",
    "issue_dependencies",
    "milestone_positions",
    "issue_labels",
    "issue_mentions",
    "issue_redirects",
    "issue_subscriptions",
    "bulk_changes",
    "issue_texts",
    "issue_texts_waiting",
    "issues",
    "reactions",
    "stopwatches",
    "tracked_times",
  ],
  "collaboration/labels": ["labels"],
  "collaboration/milestones": ["milestones"],
  "collaboration/notifications": ["notification_choices", "notifications"],
  "collaboration/saved-replies": ["saved_replies"],
  "collaboration/saved-searches": ["saved_searches"],
  "collaboration/pulls": ["pull_auto_merges", "pull_merge_checks", "pull_requests"],
  "collaboration/reviews": ["review_comments", "reviews", "viewed_files"],
  "git/lfs": ["lfs_locks", "lfs_objects"],
  "integrations/hooks": ["hook_deliveries", "hook_messages", "hooks"],
  "site/activities": ["activities"],
  "site/admin": ["badges", "system_notices", "user_badges"],
  "site/audit": ["audit_log", "audit_prunings"],
  "site/blobs": ["stored_files"],
  "site/drafts": ["drafts"],
  "site/own-data": ["data_links"],
};

export interface TableException {
  /** Or a layer. */
  readonly feature: string;
  readonly tables: readonly string[];
  readonly reason: string;
}

/** Writes by another feature than the owner, with the reason. Such a feature may read the table, too. */
export const tableExceptions: readonly TableException[] = [
  {
    feature: "accounts/users",
    tables: ["repositories"],
    reason: "an account is deleted together with its deleted repositories; the foreign key of the owner allows no other order",
  },
  {
    feature: "organizations/orgs",
    tables: ["organization_members", "team_members", "teams"],
    reason: "an organization is created with its owner team and deleted accounts leave all teams; teams is a later feature",
  },
  {
    feature: "repositories/repos",
    tables: ["accounts"],
    reason: "repos_count and stars_count are recomputed from the rows of this feature, in the statements that change them",
  },
  {
    feature: "repositories/repos",
    tables: ["issue_labels", "team_repositories"],
    reason: "a transfer removes the labels and teams of the former owner in its transaction; issues and teams are later features",
  },
  {
    feature: "repositories/repos",
    tables: ["pull_mirrors"],
    reason: "the API sets the interval of a mirror among the settings of the repository; mirrors is a later feature",
  },
  {
    feature: "collaboration/issues",
    tables: ["attachments"],
    reason: "a text and its uploads are linked in one transaction; attachments is a later feature",
  },
];

/** Reads of tables of later features, with the reason. */
export const readExceptions: readonly TableException[] = [
  {
    feature: "app",
    tables: ["attachments", "repositories", "stored_files"],
    reason: "a second import from Gitea finds the object stores and files of the first one",
  },
  {
    feature: "app",
    tables: [
      "accounts",
      "attachments",
      "comments",
      "commit_comments",
      "issue_assignees",
      "issue_labels",
      "issues",
      "labels",
      "lfs_objects",
      "milestones",
      "pull_requests",
      "reactions",
      "releases",
      "repositories",
      "repository_topics",
      "review_comments",
      "reviews",
      "stored_files",
      "topics",
    ],
    reason: "an export writes all rows of a repository in pages, and is no list that a caller may see in parts",
  },
  {
    feature: "db",
    tables: ["ignored_repositories"],
    reason: "notifications, emails and subscriptions decide with the same conditions who ignores a repository",
  },
  {
    feature: "events",
    tables: ["action_required_repositories", "action_required_workflows", "action_workflows", "hooks", "repositories"],
    reason: "the statement that records an event also finds out whether a webhook or a workflow may apply, so that most events need no further work",
  },
  {
    feature: "accounts/users",
    tables: ["organization_members"],
    reason: "private organizations are visible to their members, and memberships prevent the deletion of an account",
  },
  {
    feature: "accounts/users",
    tables: ["authentication_sources"],
    reason: "the statement of a sign-in finds the account with its source",
  },
  {
    feature: "accounts/recovery",
    tables: ["authentication_sources"],
    reason: "only passwords of this server can be recovered: one statement finds the account with its source",
  },
  {
    feature: "organizations/orgs",
    tables: ["repositories"],
    reason: "an organization with repositories cannot be deleted",
  },
  {
    feature: "repositories/protections",
    tables: ["lfs_locks"],
    reason: "locks are rules for files: one statement loads both, for each push",
  },
  {
    feature: "repositories/protections",
    tables: ["team_members", "teams"],
    reason: "the lists of a rule contain teams",
  },
  {
    feature: "repositories/repos",
    tables: ["organization_members", "team_members", "team_units", "teams"],
    reason: "rights follow from teams; single reads and conditions of lists evaluate them in their own statement",
  },
  {
    feature: "repositories/repos",
    tables: ["action_required_repositories", "action_required_workflows", "action_workflows", "lfs_locks", "pull_requests", "push_mirrors"],
    reason: "the statement that moves refs finds out which features need further work, and an empty one costs nothing",
  },
  {
    feature: "repositories/repos",
    tables: ["issues"],
    reason: "the default branch cannot be deleted while it is the base of an open pull request; a transfer removes labels from issues",
  },
  {
    feature: "repositories/repos",
    tables: ["action_artifacts", "action_caches", "attachments", "lfs_objects"],
    reason: "the stored size of a repository is recounted from the rows of its files, in one statement",
  },
  {
    feature: "repositories/repos",
    tables: ["repo_migrations"],
    reason: "a store of a running migration has no repository yet and is not an orphan",
  },
  {
    feature: "site/blobs",
    tables: ["action_artifacts", "action_caches", "action_uploads", "attachments", "lfs_objects"],
    reason: "an upload is deleted only if no row refers to it, in the same statement",
  },
  {
    feature: "repositories/releases",
    tables: ["attachments"],
    reason: "lists of releases show their files",
  },
  {
    feature: "collaboration/issues",
    tables: ["pull_requests", "reviews"],
    reason: "issues and pull requests share their lists and searches, which show merges and filter by reviews",
  },
  {
    feature: "collaboration/pulls",
    tables: ["action_required_repositories", "action_required_workflows", "action_runs"],
    reason: "a merge needs the workflows that the organization requires: one statement finds those without a successful run",
  },
  {
    feature: "collaboration/pulls",
    tables: ["reviews"],
    reason: "one statement loads pull requests with the marks of their reviews",
  },
];

/** Files that write tables whose name is not a literal, with these tables. */
export const dynamicWrites: Readonly<Record<string, readonly string[]>> = {
  "src/features/collaboration/issues/search/store/search.ts": ["issue_texts", "issue_texts_waiting", "comment_texts", "comment_texts_waiting"],
  "src/features/repositories/repos/store/star-and-watch-lists.ts": ["ignored_repositories", "stars", "watches"],
  // Fills an empty database, before any feature uses it.
  "src/db/copy-tables.ts": [],
  "src/db/row-batch.ts": [],
};
