import type { Migration } from "./migration.ts";

export const accounts: Migration = {
  id: 1,
  name: "accounts, organizations, teams",
  statements: [
    `create table accounts (
      id {id},
      kind {text} not null,
      name {text} not null,
      name_folded {text} not null,
      full_name {text} not null,
      email {text} not null,
      description {text} not null,
      website {text} not null,
      location {text} not null,
      visibility {text} not null,
      avatar {text} not null,
      created_ms {int} not null,
      updated_ms {int} not null,
      password_hash {text} not null default '',
      credential_version {int} not null default 0,
      is_admin {int} not null default 0,
      is_active {int} not null default 1,
      is_restricted {int} not null default 0,
      prohibit_login {int} not null default 0,
      must_change_password {int} not null default 0,
      login_name {text} not null default '',
      source_id {int} not null default 0,
      last_login_ms {int} not null default 0,
      language {text} not null default '',
      theme {text} not null default '',
      diff_view_style {text} not null default '',
      hide_email {int} not null default 0,
      hide_activity {int} not null default 0,
      allow_create_organization {int} not null default 1,
      max_repo_creation {int} not null default -1,
      followers_count {int} not null default 0,
      following_count {int} not null default 0,
      stars_count {int} not null default 0,
      repos_count {int} not null default 0,
      repo_admin_change_team_access {int} not null default 0,
      email_notifications {text} not null default 'enabled'
    ) {table}`,
    "create unique index accounts_name on accounts (name_folded)",
    "create index accounts_kind on accounts (kind, name_folded)",
    "create index accounts_avatar on accounts (avatar) where avatar <> ''",
    "create index accounts_source on accounts (source_id, lower(login_name))",

    `create table account_redirects (
      name_folded {text} primary key,
      account_id {int} not null references accounts (id) on delete cascade
    ) {table}`,
    "create index account_redirects_account on account_redirects (account_id)",

    `create table account_emails (
      id {id},
      account_id {int} not null references accounts (id) on delete cascade,
      email {text} not null,
      folded {text} not null,
      is_primary {int} not null,
      is_verified {int} not null
    ) {table}`,
    "create unique index account_emails_folded on account_emails (folded)",
    "create index account_emails_account on account_emails (account_id)",
    "create unique index account_emails_primary on account_emails (account_id) where is_primary = 1",

    `create table account_codes (
      id {id},
      code_hash {text} not null,
      purpose {text} not null,
      account_id {int} not null references accounts (id) on delete cascade,
      email {text} not null,
      credential_version {int} not null,
      created_ms {int} not null,
      expires_ms {int} not null
    ) {table}`,
    "create unique index account_codes_hash on account_codes (code_hash)",
    "create unique index account_codes_account on account_codes (account_id, purpose, email)",
    "create index account_codes_expires on account_codes (expires_ms)",

    `create table follows (
      target_id {int} not null references accounts (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      created_ms {int} not null,
      primary key (target_id, account_id)
    ) {clustered}`,
    "create index follows_account on follows (account_id, target_id)",

    `create table blocks (
      blocker_id {int} not null references accounts (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      note {text} not null,
      created_ms {int} not null,
      primary key (blocker_id, account_id)
    ) {clustered}`,
    "create index blocks_account on blocks (account_id, blocker_id)",

    `create table badges (
      id {id},
      slug {text} not null,
      description {text} not null,
      image_url {text} not null
    ) {table}`,
    "create unique index badges_slug on badges (slug)",

    `create table user_badges (
      account_id {int} not null references accounts (id) on delete cascade,
      badge_id {int} not null references badges (id) on delete cascade,
      primary key (account_id, badge_id)
    ) {clustered}`,
    "create index user_badges_badge on user_badges (badge_id)",

    `create table organization_members (
      org_id {int} not null references accounts (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      is_public {int} not null,
      primary key (org_id, account_id)
    ) {clustered}`,
    "create index organization_members_account on organization_members (account_id, org_id)",

    `create table teams (
      id {id},
      org_id {int} not null references accounts (id) on delete cascade,
      name {text} not null,
      name_folded {text} not null,
      description {text} not null,
      mode {text} not null,
      includes_all_repositories {int} not null,
      can_create_org_repo {int} not null
    ) {table}`,
    "create unique index teams_name on teams (org_id, name_folded)",

    `create table team_members (
      team_id {int} not null references teams (id) on delete cascade,
      account_id {int} not null references accounts (id) on delete cascade,
      org_id {int} not null references accounts (id) on delete cascade,
      primary key (team_id, account_id)
    ) {clustered}`,
    "create index team_members_account on team_members (account_id, org_id)",
    "create index team_members_org on team_members (org_id, account_id)",

    `create table team_units (
      team_id {int} not null references teams (id) on delete cascade,
      unit {text} not null,
      mode {text} not null,
      primary key (team_id, unit)
    ) {clustered}`,
  ],
};
