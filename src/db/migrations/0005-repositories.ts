import type { Migration } from "./migration.ts";

export const repositories: Migration = {
  id: 5,
  name: "repositories",
  statements: [
    // network_id is the first repository of a fork network. It may be deleted, so there is no foreign key.
    `create table repositories (
      id {id},
      owner_id {int} not null references accounts (id) on delete restrict,
      name {text} not null,
      name_folded {text} not null,
      description {text} not null,
      website {text} not null,
      original_url {text} not null,
      is_private {int} not null,
      is_template {int} not null,
      is_archived {int} not null,
      is_mirror {int} not null,
      is_empty {int} not null,
      fork_of {int} references repositories (id) on delete set null,
      code_store_id {int} not null references git_stores (id) on delete restrict,
      wiki_store_id {int} references git_stores (id) on delete restrict,
      default_branch {text} not null,
      trust_model {text} not null,
      avatar {text} not null,
      settings {text} not null,
      licenses {text} not null,
      language {text} not null,
      stars_count {int} not null default 0,
      forks_count {int} not null default 0,
      watchers_count {int} not null default 0,
      branches_count {int} not null default 0,
      open_issues_count {int} not null default 0,
      closed_issues_count {int} not null default 0,
      open_pulls_count {int} not null default 0,
      closed_pulls_count {int} not null default 0,
      releases_count {int} not null default 0,
      created_ms {int} not null,
      updated_ms {int} not null,
      archived_ms {int} not null,
      deleted_ms {int},
      last_issue_number {int} not null default 0,
      network_id {int},
      files_bytes {int} not null default 0
    ) {table}`,
    "create unique index repositories_name on repositories (owner_id, name_folded) where deleted_ms is null",
    // Includes deleted repositories: the foreign key to accounts needs an index of all of them.
    "create index repositories_owner on repositories (owner_id, updated_ms)",
    "create index repositories_updated on repositories (updated_ms, id)",
    "create index repositories_created on repositories (created_ms, id)",
    "create index repositories_by_name on repositories (name_folded, id)",
    "create index repositories_fork_of on repositories (fork_of) where fork_of is not null",
    "create unique index repositories_code_store on repositories (code_store_id)",
    "create unique index repositories_wiki_store on repositories (wiki_store_id) where wiki_store_id is not null",
    "create index repositories_deleted on repositories (deleted_ms) where deleted_ms is not null",
    // Uploaded images are looked up by name. Most repositories and accounts have none.
    "create index repositories_avatar on repositories (avatar) where avatar <> ''",
    "create index repositories_network on repositories (network_id) where network_id is not null",
    // Allows only one of several concurrent forks of a repository by the same owner.
    "create unique index repositories_one_fork on repositories (fork_of, owner_id) where fork_of is not null and deleted_ms is null",

    `create table repository_redirects (
      owner_id {int} not null references accounts (id) on delete cascade,
      name_folded {text} not null,
      repo_id {int} not null references repositories (id) on delete cascade,
      primary key (owner_id, name_folded)
    ) {clustered}`,
    "create index repository_redirects_repo on repository_redirects (repo_id)",

    `create table team_repositories (
      team_id {int} not null references teams (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      primary key (team_id, repo_id)
    ) {clustered}`,
    "create index team_repositories_repo on team_repositories (repo_id, team_id)",

    `create table collaborators (
      repo_id {int} not null references repositories (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      mode {text} not null,
      created_ms {int} not null,
      primary key (repo_id, account_id)
    ) {clustered}`,
    "create index collaborators_account on collaborators (account_id, repo_id)",

    `create table topics (
      id {id},
      name {text} not null,
      repo_count {int} not null default 0,
      created_ms {int} not null,
      updated_ms {int} not null
    ) {table}`,
    "create unique index topics_name on topics (name)",

    `create table repository_topics (
      repo_id {int} not null references repositories (id) on delete cascade,
      topic_id {int} not null references topics (id) on delete cascade,
      primary key (repo_id, topic_id)
    ) {clustered}`,
    "create index repository_topics_topic on repository_topics (topic_id, repo_id)",

    `create table watches (
      repo_id {int} not null references repositories (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      created_ms {int} not null,
      primary key (repo_id, account_id)
    ) {clustered}`,
    "create index watches_account on watches (account_id, repo_id)",

    `create table stars (
      repo_id {int} not null references repositories (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      created_ms {int} not null,
      primary key (repo_id, account_id)
    ) {clustered}`,
    "create index stars_account on stars (account_id, repo_id)",

    `create table repository_languages (
      repo_id {int} not null references repositories (id) on delete cascade,
      language {text} not null,
      bytes {int} not null,
      primary key (repo_id, language)
    ) {clustered}`,

    `create table repository_transfers (
      repo_id {int} primary key references repositories (id) on delete cascade,
      doer_id {int} not null references accounts (id) on delete cascade,
      recipient_id {int} not null references accounts (id) on delete cascade,
      lets_read {int} not null,
      created_ms {int} not null
    ) {table}`,
    "create index repository_transfers_doer on repository_transfers (doer_id)",
    "create index repository_transfers_recipient on repository_transfers (recipient_id)",

    `create table repository_transfer_teams (
      repo_id {int} not null references repository_transfers (repo_id) on delete cascade,
      team_id {int} not null references teams (id) on delete cascade,
      primary key (repo_id, team_id)
    ) {clustered}`,
    "create index repository_transfer_teams_team on repository_transfer_teams (team_id)",

    `create table access_token_repositories (
      token_id {int} not null references access_tokens (id) on delete cascade,
      repo_id {int} not null references repositories (id) on delete cascade,
      primary key (token_id, repo_id)
    ) {clustered}`,
    "create index access_token_repositories_repo on access_token_repositories (repo_id)",
  ],
};
