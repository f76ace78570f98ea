import type { Migration } from "./migration.ts";

export const forkNetworks: Migration = {
  id: 25,
  name: "fork networks and transfers",
  statements: [
    // The repository in which a network began, which may be gone: no foreign key.
    "alter table repositories add column network_id {int}",
    "update repositories set network_id = coalesce((select p.network_id from repositories p where p.id = repositories.fork_of), fork_of) where fork_of is not null",
    "create index repositories_network on repositories (network_id) where network_id is not null",
    // Forks of one repository that are made at once: one of them for each owner.
    "create unique index repositories_one_fork on repositories (fork_of, owner_id) where fork_of is not null and deleted_ms is null",

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
  ],
};
