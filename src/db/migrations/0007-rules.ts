import type { Migration } from "./migration.ts";

export const rules: Migration = {
  id: 7,
  name: "rules for refs, statuses of commits",
  statements: [
    `create table ref_protections (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      kind {text} not null,
      pattern {text} not null,
      priority {int} not null,
      settings {text} not null,
      created_ms {int} not null,
      updated_ms {int} not null
    ) {table}`,
    "create unique index ref_protections_pattern on ref_protections (repo_id, kind, pattern)",

    `create table ref_protection_users (
      protection_id {int} not null references ref_protections (id) on delete cascade,
      list {text} not null,
      account_id {int} not null references accounts (id) on delete cascade,
      primary key (protection_id, list, account_id)
    ) {clustered}`,
    "create index ref_protection_users_account on ref_protection_users (account_id)",

    `create table ref_protection_teams (
      protection_id {int} not null references ref_protections (id) on delete cascade,
      list {text} not null,
      team_id {int} not null references teams (id) on delete cascade,
      primary key (protection_id, list, team_id)
    ) {clustered}`,
    "create index ref_protection_teams_team on ref_protection_teams (team_id)",

    `create table commit_statuses (
      id {id},
      repo_id {int} not null references repositories (id) on delete cascade,
      oid {text} not null,
      number {int} not null,
      context {text} not null,
      state {text} not null,
      description {text} not null,
      target_url {text} not null,
      creator_id {int} references accounts (id) on delete set null,
      created_ms {int} not null
    ) {table}`,
    "create unique index commit_statuses_number on commit_statuses (repo_id, oid, number)",
    "create index commit_statuses_context on commit_statuses (repo_id, oid, context, number)",
    "create index commit_statuses_creator on commit_statuses (creator_id) where creator_id is not null",
  ],
};
