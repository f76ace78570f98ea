import type { Migration } from "./migration.ts";

export const protections: Migration = {
  id: 19,
  name: "protections of branches and tags",
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
  ],
};
